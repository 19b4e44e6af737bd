package io.quantail.app.console;

import io.quantail.market.data.BarLength;
import io.quantail.market.data.Bars;
import io.quantail.market.data.GapFinder;
import io.quantail.market.layout.BarFiles;
import io.quantail.market.layout.BarsProfile;
import io.quantail.market.layout.DetectedLayout;
import io.quantail.market.layout.ProposedSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code init} found and assumed, in five lines: bars, times, gaps, prices, account. */
public final class InitText {
  private static final String INDENT = " ".repeat(9);

  private InitText() {}

  /**
   * The five lines; a text that is longer than 80 columns is continued on the next line.
   *
   * @param files without open questions
   */
  public static String of(BarFiles files) {
    ProposedSettings proposed = files.proposed();
    List<BarsProfile> profiles = files.profiles();
    StringBuilder text = new StringBuilder();
    String order = files.isNewestFirst() ? "; newest first, turned around" : "";
    for (int i = 0; i < profiles.size(); i++) {
      text.append(line("Bars", bars(proposed, i, profiles.get(i).bars()) + order));
    }
    return text.append(line("Times", times(proposed)))
        .append(line("Gaps", gaps(profiles)))
        .append(line("Prices", prices(proposed)))
        .append(line("Account", account(proposed)))
        .toString();
  }

  private static String line(String name, String words) {
    return WrappedText.of(words, String.format(Locale.ROOT, "%-9s", name + ":"), INDENT);
  }

  private static String bars(ProposedSettings proposed, int index, Bars bars) {
    return String.format(
        Locale.ROOT,
        "%s (%s), %,d of %s, %s to %s",
        proposed.files().get(index),
        proposed.layout().form(),
        bars.size(),
        BarLength.written(bars.barMillis()),
        day(bars.time(0) - bars.barMillis()),
        day(bars.time(bars.size() - 1) - 1));
  }

  private static String day(long time) {
    return Instant.ofEpochMilli(time).toString().substring(0, 10);
  }

  private static String times(ProposedSettings proposed) {
    DetectedLayout layout = proposed.layout();
    if (layout.times() == DetectedLayout.Basis.DATES) {
      return proposed.timeIsOpen()
          ? "dates, each the first day of its bar (assumed)"
          : "dates, each bar closes with its day";
    }
    String what = proposed.timeIsOpen() ? "opens" : "closes";
    String other = proposed.timeIsOpen() ? "--times close" : "--times open";
    String known =
        switch (layout.times()) {
          case ANSWERED -> " (--times)";
          case COLUMN -> " (the column's name)";
          case FORM -> " (as in " + layout.form() + ")";
          case ASSUMED -> " (assumed; else " + other + ")";
          case DATES -> "";
        };
    return what + known + "; " + zone(layout);
  }

  private static String zone(DetectedLayout layout) {
    return switch (layout.zone()) {
      case ANSWERED -> layout.layout().zone() + " (--zone)";
      case FILE -> "UTC (stated)";
      case SESSIONS -> layout.layout().zone() + " (by its hours; else --zone)";
      case ASSUMED -> layout.layout().zone() + " (assumed; else --zone)";
      case DATES -> "";
    };
  }

  private static String gaps(List<BarsProfile> profiles) {
    List<String> parts = new ArrayList<>();
    add(parts, count(profiles, GapFinder.Kind.NIGHT), "nights");
    add(parts, count(profiles, GapFinder.Kind.WEEKEND), "weekends");
    add(parts, count(profiles, GapFinder.Kind.HOLIDAY), "holidays");
    int others = count(profiles, GapFinder.Kind.UNEXPLAINED);
    if (others > 0) {
      long longest = profiles.stream().mapToLong(BarsProfile::longestUnexplained).max().orElse(0);
      add(parts, others, "unexplained, the longest " + BarLength.written(longest));
    }
    return parts.isEmpty()
        ? "none; a missing bar is refused"
        : String.join(", ", parts) + "; accepted, not filled in";
  }

  private static int count(List<BarsProfile> profiles, GapFinder.Kind kind) {
    return profiles.stream().mapToInt(profile -> profile.gaps(kind)).sum();
  }

  private static void add(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(String.format(Locale.ROOT, "%,d %s", count, what));
    }
  }

  private static String prices(ProposedSettings proposed) {
    DetectedLayout layout = proposed.layout();
    boolean shares = proposed.costs() == ProposedSettings.Costs.SHARES;
    String volume =
        layout.volume().isEmpty()
            ? "; there are no volumes"
            : layout.volumeIsTicks() ? "; volumes count ticks" : "";
    return switch (layout.prices()) {
          case ANSWERED -> layout.layout().prices().name().toLowerCase(Locale.ROOT) + " (--prices)";
          case ADJUSTED_COLUMN -> "scaled to the adjusted close (assumed; else --prices raw)";
          case EQUAL_COLUMN -> "as they are, the adjusted close equals the close";
          case ADJUSTED_ALREADY -> "as they are, adjusted by yfinance (assumed)";
          case ONLY_PRICES ->
              shares
                  ? "as they are; adjusted already (assumed: no move looks like a split)"
                  : "as they are";
        }
        + volume;
  }

  private static String account(ProposedSettings proposed) {
    String money = number(proposed.account()) + " " + proposed.unit().name();
    String unit = proposed.unit().stated() ? "" : " (assumed)";
    if (!proposed.hasVolumes()) {
      return money + unit + "; orders of any size are filled";
    }
    String size =
        String.format(
            Locale.ROOT,
            ", %s a median bar (%s)",
            share(proposed.accountInBars()),
            number(proposed.medianMoney()));
    if (proposed.account() < proposed.usualAccount()) {
      return money
          + unit
          + size
          + "; "
          + number(proposed.usualAccount())
          + " is too much (--account)";
    }
    return money + unit + size + (proposed.isTooLarge() ? "; too much for one bar" : "");
  }

  private static String share(double bars) {
    return bars >= 1
        ? String.format(Locale.ROOT, "%,.0f times", bars)
        : bars < 0.0001 ? "below 0.01 % of" : String.format(Locale.ROOT, "%.2g %% of", 100 * bars);
  }

  private static String number(double value) {
    return value >= 100 || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value).replaceFirst("\\.?0+$", "");
  }
}
