package io.quantail.market.layout;

import io.quantail.market.data.BarLength;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DataException;
import io.quantail.market.data.DataProblem;
import io.quantail.market.data.FileStamp;
import io.quantail.market.layout.DetectedLayout.Basis;
import io.quantail.market.layout.DetectedLayout.PriceBasis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Files of bars whose layout was detected: their bars, the settings that fit them, and what only
 * the user can answer. There are no bars and settings while the layout itself is in question.
 */
public final class BarFiles {
  private static final long DAY = 86_400_000L;

  private final LayoutAnswers answers;
  private final Map<Path, FileStamp> stamps = new HashMap<>();
  private final List<BarsProfile> profiles = new ArrayList<>();
  private final List<String> questions = new ArrayList<>();
  private @Nullable ProposedSettings proposed;
  private boolean newestFirst;

  private BarFiles(LayoutAnswers answers) {
    this.answers = answers;
  }

  /**
   * Detects how files are written, and reads them.
   *
   * @param files one file or glob per symbol
   * @param answers what the user states
   * @param account money at the start that the user wants
   * @return bars, settings and questions
   * @throws DataException if a file is refused, or if files cannot share one configuration
   * @throws UncheckedIOException if a file cannot be read
   */
  public static BarFiles read(List<String> files, LayoutAnswers answers, OptionalDouble account) {
    BarFiles result = new BarFiles(answers);
    try {
      result.readAll(files, account);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + files, failure);
    }
    return result;
  }

  /** {@return what the bars of each file show; empty while the layout is in question} */
  public List<BarsProfile> profiles() {
    return List.copyOf(profiles);
  }

  /** {@return whether the rows of a file are in descending order of time, and are turned around} */
  public boolean isNewestFirst() {
    return newestFirst;
  }

  /** {@return what only the user can answer, each with the option that does} */
  public List<String> questions() {
    return List.copyOf(questions);
  }

  /**
   * {@return the settings that fit the bars}
   *
   * @throws IllegalStateException while the layout is in question
   */
  public ProposedSettings proposed() {
    if (proposed == null) {
      throw new IllegalStateException("the layout is in question");
    }
    return proposed;
  }

  private void readAll(List<String> files, OptionalDouble account) throws IOException {
    DetectedLayout layout = layout(files);
    questions.addAll(layout.questions());
    if (!questions.isEmpty()) {
      return;
    }
    List<Bars> bars = bars(files, layout, layout.timeIsOpen());
    boolean longer = bars.get(0).barMillis() > DAY && layout.times() == Basis.DATES;
    if (longer) {
      bars = bars(files, layout, true);
    }
    requireUnchanged();
    requireShared(files, bars);
    BarsReader.requireDifferent(files, bars);
    bars.forEach(symbol -> profiles.add(BarsProfile.of(symbol)));
    askAboutSplits(files, layout);
    proposed = ProposedSettings.of(files, layout, longer || layout.timeIsOpen(), profiles, account);
  }

  /** The layout of all files, which must be the same. */
  private DetectedLayout layout(List<String> files) throws IOException {
    DetectedLayout first = null;
    String firstName = "";
    for (String pattern : files) {
      List<Path> paths = BarsReader.files(pattern);
      if (paths.isEmpty()) {
        throw new DataException(pattern + " " + BarsReader.absent(pattern));
      }
      for (Path path : paths) {
        stamps.put(path, FileStamp.of(path));
        DetectedLayout found = LayoutDetector.detect(path, answers);
        if (first != null && differs(first, found)) {
          throw new DataException(
              "%s and %s are written differently; a configuration reads all files in one way: write each with quantail data import"
                  .formatted(firstName, path));
        }
        first = first == null ? found : first;
        firstName = firstName.isEmpty() ? path.toString() : firstName;
      }
    }
    return Objects.requireNonNull(first);
  }

  private static boolean differs(DetectedLayout one, DetectedLayout other) {
    return !one.layout().equals(other.layout()) || one.timeIsOpen() != other.timeIsOpen();
  }

  private List<Bars> bars(List<String> files, DetectedLayout layout, boolean open)
      throws IOException {
    List<Bars> bars = new ArrayList<>();
    List<DataProblem> errors = new ArrayList<>();
    for (String file : files) {
      BarsReadReport report =
          BarsReader.read(file, new BarsOptions("", 0, open, true, layout.layout()));
      errors.addAll(report.errors());
      newestFirst |=
          report.sources().stream().anyMatch(source -> source.endsWith(BarsReader.NEWEST_FIRST));
      if (report.errors().isEmpty()) {
        bars.add(report.orThrow());
      }
    }
    if (!errors.isEmpty()) {
      requireUnchanged(); // else the errors may be those of a file that is half written
      throw new DataException(errors);
    }
    return bars;
  }

  private void requireUnchanged() throws IOException {
    for (Map.Entry<Path, FileStamp> file : stamps.entrySet()) {
      if (!file.getValue().equals(FileStamp.of(file.getKey()))) {
        throw new DataException(file.getKey() + " " + FileStamp.CHANGED);
      }
    }
  }

  private static void requireShared(List<String> files, List<Bars> bars) {
    Bars first = bars.get(0);
    for (int i = 0; i < bars.size(); i++) {
      Bars other = bars.get(i);
      if (other.size() < ProposedSettings.FEWEST_BARS) {
        throw new DataException(
            String.format(
                Locale.ROOT,
                "%s has %d bars; training, validation and test need at least %d together",
                files.get(i),
                other.size(),
                ProposedSettings.FEWEST_BARS));
      }
      if (other.barMillis() != first.barMillis()) {
        throw new DataException(
            "%s has bars of %s, %s of %s; an agent has one bar length: use separate configurations"
                .formatted(
                    files.get(0),
                    BarLength.written(first.barMillis()),
                    files.get(i),
                    BarLength.written(other.barMillis())));
      }
      QuoteUnit unit = QuoteUnit.of(first.symbol());
      if (!QuoteUnit.of(other.symbol()).equals(unit)) {
        throw new DataException(
            "%s is quoted in %s, %s in %s; an account has one currency: use separate configurations"
                .formatted(
                    files.get(0), unit.name(), files.get(i), QuoteUnit.of(other.symbol()).name()));
      }
    }
  }

  private void askAboutSplits(List<String> files, DetectedLayout layout) {
    if (layout.prices() != PriceBasis.ONLY_PRICES && layout.prices() != PriceBasis.EQUAL_COLUMN) {
      return;
    }
    for (int i = 0; i < files.size(); i++) {
      Bars bars = profiles.get(i).bars();
      if (profiles.get(i).split().isPresent()) {
        int t = profiles.get(i).split().getAsInt();
        long open = bars.time(t) - bars.barMillis();
        questions.add(
            String.format(
                Locale.ROOT,
                "%s: on %s the price goes from %s to %s as in a split of the shares; adjust the"
                    + " file, or answer with --prices raw if the move is real",
                files.get(i),
                Instant.ofEpochMilli(open).toString().substring(0, 10),
                bars.close(t - 1),
                bars.open(t)));
      }
    }
  }
}
