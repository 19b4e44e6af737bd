package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.evidence.BarDays;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.CalendarReturns;
import io.quantail.market.performance.DrawdownYear;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * The picture at the top of a page: the measured CVaR with its interval beside the limit, and the
 * drawdown of the year in which the market fell deepest, each beside the agent's mean weight held
 * all the time. SVG without scripts, so that it is there before anything else.
 */
final class KeptPicture {
  private static final int WIDTH = 440;
  private static final int HEIGHT = 132;
  private static final int EDGE = 8;
  private static final int TOP = 26;
  private static final int BOTTOM = HEIGHT - 22;
  private static final int COLUMNS = 220;
  private static final double ROOM = 1.12;

  private final Element parent;
  private final SheetAccount account;

  private KeptPicture(Element parent, SheetAccount account) {
    this.parent = parent;
    this.account = account;
  }

  /**
   * Adds the picture.
   *
   * @param limit of the account; null if the run has none, which leaves out the first half
   * @param year in which the market fell deepest; null if it is not known
   */
  static void add(
      Element header,
      SheetAccount account,
      RiskConfig risk,
      @Nullable LimitResult limit,
      @Nullable DrawdownYear year) {
    boolean measured = limit != null && limit.judged().estimate().measured() != null;
    if (!measured && year == null) {
      return;
    }
    KeptPicture picture = new KeptPicture(header.appendElement("div").addClass("kept"), account);
    if (measured) {
      picture.limit(Objects.requireNonNull(limit), risk);
    }
    if (year != null) {
      picture.drawdown(year);
    }
  }

  // CVaR and limit

  private void limit(LimitResult limit, RiskConfig risk) {
    LimitEstimate judged = limit.judged().estimate();
    double measured = Objects.requireNonNull(judged.measured());
    double low = Objects.requireNonNullElse(judged.low(), measured);
    double high = Objects.requireNonNullElse(judged.high(), measured);
    AccountCurve meanWeight = account.meanWeight();
    boolean bars = risk.measure() == RiskConfig.Measure.REWARDS;
    Double held =
        meanWeight == null || !bars
            ? null
            : (Double) EmpiricalCvar.empirical(meanWeight.logReturns(), limit.alpha(), 0).cvar();
    List<Double> shown = new ArrayList<>(List.of(limit.limit(), low, high, 0.0));
    if (held != null) {
      shown.add(held);
    }
    Scale x = Scale.of(shown.stream().mapToDouble(Double::doubleValue));
    Element figure =
        figure(
            "CVaR %s of %s: limit %s, %s"
                .formatted(
                    LimitText.share(limit.alpha()),
                    judged.unit(),
                    value(limit, limit.limit()),
                    limit.status().id()));
    Element drawing = drawing(figure);
    double border = x.at(limit.limit());
    shape(
        drawing,
        "rect",
        "beyond",
        "x",
        0,
        "y",
        TOP - 8,
        "width",
        border,
        "height",
        BOTTOM + 8 - TOP);
    line(drawing, "limit", border, TOP - 8, border, BOTTOM);
    text(drawing, border + 5, TOP - 10, "start", "limit", "limit " + value(limit, limit.limit()));
    int row = held == null ? (TOP + BOTTOM) / 2 : TOP + 26;
    line(drawing, "agent interval", x.at(low), row, x.at(high), row);
    shape(drawing, "circle", "agent", "cx", x.at(measured), "cy", row, "r", 6);
    label(drawing, x.at(measured), row - 10, "agent", "agent " + value(limit, measured));
    if (held != null) {
      int below = BOTTOM - 12;
      shape(drawing, "circle", "held", "cx", x.at(held), "cy", below, "r", 6);
      label(drawing, x.at(held), below - 10, "held", "held " + value(limit, held));
    }
    line(drawing, "axis", 0, BOTTOM, WIDTH, BOTTOM);
    text(drawing, x.at(0), BOTTOM + 15, x.at(0) > WIDTH / 2.0 ? "end" : "start", "", "0");
    caption(
        figure,
        "Bar: 95 % interval. "
            + (held == null ? "" : "Held: the agent's mean weight, all the time."));
  }

  private static String value(LimitResult limit, double value) {
    return NumberText.minus(
        limit.judged().part().equals("evaluation")
            ? LimitText.value(limit, value)
            : String.format(Locale.ROOT, "%.2f %%", 100 * value));
  }

  // Drawdown

  private void drawdown(DrawdownYear year) {
    AccountCurve meanWeight = account.meanWeight();
    AccountCurve other = meanWeight == null ? account.hold() : meanWeight;
    String name = meanWeight == null ? "buy-and-hold" : "held";
    SortedMap<Long, Double> own = underwater(account.agent(), year.year());
    SortedMap<Long, Double> others = underwater(other, year.year());
    if (own.isEmpty() || others.isEmpty()) {
      return;
    }
    Element figure =
        figure(
            String.format(
                Locale.ROOT,
                "Drawdown in %d: agent %s, %s %s",
                year.year(),
                deepest(own),
                name,
                deepest(others)));
    Element drawing = drawing(figure);
    Scale y =
        Scale.of(
            DoubleStream.concat(
                DoubleStream.of(0),
                DoubleStream.concat(
                    own.values().stream().mapToDouble(Double::doubleValue),
                    others.values().stream().mapToDouble(Double::doubleValue))));
    long from = Math.min(own.firstKey(), others.firstKey());
    long to = Math.max(Math.max(own.lastKey(), others.lastKey()), from + 1);
    String below = path(others, from, to, y);
    String above = path(own, from, to, y);
    area(drawing, "agent", above);
    outline(drawing, "held", below);
    outline(drawing, "agent", above);
    line(drawing, "axis", 0, TOP - 8, WIDTH, TOP - 8);
    text(drawing, 2, TOP - 13, "start", "", "0 %");
    text(drawing, 2, HEIGHT - 4, "start", "", CalendarReturns.day(from).toString());
    text(drawing, WIDTH - 2.0, HEIGHT - 4, "end", "", CalendarReturns.day(to).toString());
    caption(
        figure,
        "Below the highest value since the year before; the year in which buy-and-hold fell deepest, %s."
            .formatted(NumberText.minus("-" + KeptText.depth(year.buyAndHold()))));
  }

  private static String deepest(SortedMap<Long, Double> underwater) {
    double depth = -underwater.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    return NumberText.minus("-" + KeptText.depth(depth));
  }

  /** Equity over its highest value since the last close of the year before, minus 1. */
  private static SortedMap<Long, Double> underwater(AccountCurve curve, int year) {
    SortedMap<Long, Double> values = new TreeMap<>();
    double peak = 0;
    for (int t = 1; t < curve.times().length; t++) {
      if (BarDays.year(curve.times()[t]) == year) {
        peak = values.isEmpty() ? curve.equity()[t - 1] : peak;
        peak = Math.max(peak, curve.equity()[t]);
        values.put(curve.times()[t], peak > 0 ? curve.equity()[t] / peak - 1 : 0);
      }
    }
    return values;
  }

  /** A line through the lowest value of each column. */
  private static String path(SortedMap<Long, Double> values, long from, long to, Scale y) {
    TreeMap<Integer, Double> columns = new TreeMap<>();
    values.forEach(
        (time, value) ->
            columns.merge((int) ((time - from) * (COLUMNS - 1) / (to - from)), value, Math::min));
    StringBuilder path = new StringBuilder();
    columns.forEach(
        (column, value) ->
            path.append(path.isEmpty() ? "M" : "L")
                .append(number((double) column * WIDTH / (COLUMNS - 1)))
                .append(' ')
                .append(number(y.down(value))));
    return path.toString();
  }

  // Drawing

  /** Values from the lowest, with some room, to the highest. */
  private record Scale(double low, double high) {
    static Scale of(DoubleStream values) {
      double[] all = values.sorted().toArray();
      double low = all[0] < 0 ? all[0] * ROOM : all[0];
      double high = all[all.length - 1] > 0 ? all[all.length - 1] * ROOM : all[all.length - 1];
      return new Scale(low, high > low ? high : low + 1);
    }

    double at(double value) {
      return EDGE + (value - low) / (high - low) * (WIDTH - 2 * EDGE);
    }

    /** The vertical position, the highest value on top. */
    double down(double value) {
      return TOP - 8 + (high - value) / (high - low) * (BOTTOM + 8 - TOP);
    }
  }

  private Element figure(String title) {
    Element figure = parent.appendElement("figure");
    figure.appendElement("h3").text(title);
    return figure;
  }

  private static Element drawing(Element figure) {
    return figure
        .appendElement("svg")
        .attr("viewBox", String.format(Locale.ROOT, "0 0 %d %d", WIDTH, HEIGHT))
        .attr("role", "img")
        .attr("aria-label", Objects.requireNonNull(figure.selectFirst("h3")).text());
  }

  private static void caption(Element figure, String text) {
    figure.appendElement("figcaption").text(text);
  }

  private static void area(Element drawing, String tone, String line) {
    double zero = TOP - 8;
    drawing
        .appendElement("path")
        .addClass("area")
        .addClass(tone)
        .attr(
            "d",
            String.format(
                Locale.ROOT, "%sL%d %s L0 %s Z", line, WIDTH, number(zero), number(zero)));
  }

  private static void outline(Element drawing, String tone, String line) {
    drawing.appendElement("path").addClass(tone).attr("d", line);
  }

  private static void line(
      Element drawing, String tones, double fromX, double fromY, double toX, double toY) {
    shape(drawing, "line", tones, "x1", fromX, "y1", fromY, "x2", toX, "y2", toY);
  }

  /** A shape with names and values of its attributes in turn. */
  private static void shape(Element drawing, String kind, String tones, Object... attributes) {
    Element shape = drawing.appendElement(kind);
    shape.attr("class", tones);
    for (int i = 0; i < attributes.length; i += 2) {
      shape.attr((String) attributes[i], number(((Number) attributes[i + 1]).doubleValue()));
    }
  }

  /** A text above a point that stays inside the picture. */
  private static void label(Element drawing, double x, double y, String tone, String words) {
    double half = 3.6 * words.length();
    double inside = Math.min(WIDTH - half, Math.max(half, x));
    text(drawing, inside, y, "middle", tone, words);
  }

  private static void text(
      Element drawing, double x, double y, String anchor, String tone, String words) {
    drawing
        .appendElement("text")
        .attr("class", tone)
        .attr("x", number(x))
        .attr("y", number(y))
        .attr("text-anchor", anchor)
        .text(words);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
  }
}
