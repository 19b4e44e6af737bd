package io.quantail.market.data;

import io.quantail.io.WorkingDirectory;
import io.quantail.market.data.BarValidator.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bars of one symbol from CSV (plain or gz) and Parquet files, and validates them.
 *
 * <p>The columns {@code ts, open, high, low, close, volume} are required (common aliases are
 * accepted); {@code symbol, quote_volume, trades, taker_buy_volume} and numbers named {@code x_...}
 * are optional. A number takes 8 bytes, and 24 while it is read. {@code BarsReaderTest} tests every
 * error.
 */
public final class BarsReader {
  /** Ends the description of a file whose rows were in descending order of time. */
  public static final String NEWEST_FIRST = ", newest first, turned around";

  private static final int MOST_OF_A_KIND = 10_000;

  private final BarsOptions options;
  private final List<DataProblem> problems = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();
  private final List<BarsFileReader> files = new ArrayList<>();

  private BarsReader(BarsOptions options) {
    this.options = options;
  }

  /**
   * Reads a file, a glob, or embedded data.
   *
   * @param name path of a file, a glob, or a name of {@link DemoData}, to which the layout does not
   *     apply
   * @param options symbol, bar length, meaning of times, treatment of gaps and layout
   * @return the bars and warnings, or all errors
   */
  public static BarsReadReport readAny(String name, BarsOptions options) {
    return DemoData.isDemo(name) ? DemoData.read(name, options) : read(name, options);
  }

  /**
   * Reads a file, or all files of a glob such as {@code btc/2023-*.csv.gz} in the order of their
   * names.
   *
   * @param pattern path of a file, or a glob
   * @param options symbol, bar length, meaning of times and treatment of gaps
   * @return the bars and warnings, or all errors
   */
  public static BarsReadReport read(String pattern, BarsOptions options) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      BarsReader reader = new BarsReader(options);
      reader.readFiles(connection, pattern);
      return reader.report();
    } catch (SQLException | IOException failure) {
      DataProblem problem =
          DataProblem.ofFile(
              pattern,
              "cannot be read: "
                  + BarsFileReader.oneLine(Objects.requireNonNull(failure.getMessage())));
      return new BarsReadReport(null, List.of(), List.of(problem));
    }
  }

  /**
   * Lists the files of a pattern.
   *
   * @param pattern path of a file, or a glob
   * @return the files in the order of their names; empty if there are none
   * @throws IOException if the files cannot be listed
   */
  public static List<Path> files(String pattern) throws IOException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      return expand(connection, pattern);
    } catch (SQLException failure) {
      throw new IOException("cannot list " + pattern, failure);
    }
  }

  /**
   * Lists the columns of a Parquet file.
   *
   * @param file path of a file
   * @return names of the columns; empty if the file is not Parquet
   * @throws IOException if the file cannot be read
   */
  public static List<String> parquetColumns(Path file) throws IOException {
    if (!BarsFileReader.isParquet(file)) {
      return List.of();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      return BarsFileReader.parquetColumns(connection, file);
    } catch (SQLException failure) {
      throw new IOException(
          BarsFileReader.oneLine(Objects.requireNonNull(failure.getMessage())), failure);
    }
  }

  /**
   * Refuses two files with the same bars: the agent would take one market for two.
   *
   * @param files names of the files
   * @param bars their bars
   * @throws DataException naming two files with equal times and closes
   */
  public static void requireDifferent(List<String> files, List<Bars> bars) {
    for (int i = 0; i < bars.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (bars.get(i).hasSameCloses(bars.get(j))) {
          throw new DataException(
              "%s and %s have the same bars; name only one of them"
                  .formatted(files.get(j), files.get(i)));
        }
      }
    }
  }

  /**
   * Says why a name stands for no file.
   *
   * @param pattern name of a file, or a glob
   * @return what is wrong and what to do, worded as the continuation of the name
   */
  public static String absent(String pattern) {
    try {
      return Files.isDirectory(Path.of(WorkingDirectory.resolve(pattern)))
          ? "is a directory; name its files, such as \"" + pattern + "/*.csv\""
          : "does not exist; check the name";
    } catch (InvalidPathException glob) {
      return "does not exist; check the name";
    }
  }

  private void readFiles(Connection connection, String pattern) throws SQLException {
    List<Path> paths = expand(connection, pattern);
    if (paths.isEmpty()) {
      problems.add(DataProblem.ofFile(pattern, absent(pattern)));
    }
    for (Path path : paths) {
      try {
        BarsFileReader file = new BarsFileReader(connection, path, options.layout());
        problems.addAll(file.problems());
        if (file.size() > 0) {
          files.add(file);
        }
      } catch (DataException tooLong) {
        problems.add(DataProblem.ofFile(path.toString(), LineReader.TOO_LONG));
      } catch (SQLException | IOException failure) {
        String reason = BarsFileReader.oneLine(Objects.requireNonNull(failure.getMessage()));
        problems.add(DataProblem.ofFile(path.toString(), "cannot be read: " + reason));
      }
    }
    if (!files.isEmpty()) {
      requireSameColumns();
    }
  }

  private static List<Path> expand(Connection connection, String pattern) throws SQLException {
    Path named = existing(WorkingDirectory.resolve(pattern));
    if (named != null) {
      return List.of(named);
    }
    List<Path> paths = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT file FROM glob(?) ORDER BY file")) {
      statement.setString(1, WorkingDirectory.resolve(pattern));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          paths.add(Path.of(rows.getString(1)));
        }
      }
    }
    return paths;
  }

  /** The file of that very name, which may have characters of a glob; null if there is none. */
  private static @Nullable Path existing(String name) {
    try {
      Path path = Path.of(name);
      return Files.isRegularFile(path) ? path : null;
    } catch (InvalidPathException pattern) {
      return null;
    }
  }

  private void requireSameColumns() {
    ColumnLayout first = files.get(0).layout();
    for (BarsFileReader file : files) {
      boolean same =
          file.layout().optional().equals(first.optional())
              && file.layout().extras().equals(first.extras());
      if (!same) {
        problems.add(
            DataProblem.ofFile(
                file.path().toString(),
                "must have the same columns as " + files.get(0).path().getFileName()));
      }
    }
  }

  private BarsReadReport report() throws SQLException, IOException {
    if (files.isEmpty() || (!problems.isEmpty() && columnsDiffer())) {
      return new BarsReadReport(null, sources, problems);
    }
    BarsBuilder builder = collect(symbol());
    requireBarLength(builder);
    validate(builder);
    problems.sort(Comparator.comparing(DataProblem::file).thenComparing(DataProblem::line));
    boolean refused =
        problems.stream().anyMatch(problem -> problem.severity() == DataProblem.Severity.ERROR);
    return new BarsReadReport(refused ? null : builder.build(), sources, problems);
  }

  private boolean columnsDiffer() {
    return files.stream().mapToInt(BarsFileReader::numberColumns).distinct().count() > 1;
  }

  private String symbol() throws SQLException {
    List<String> named = new ArrayList<>();
    for (BarsFileReader file : files) {
      file.symbols().stream().filter(name -> !named.contains(name)).forEach(named::add);
    }
    if (named.size() > 1) {
      problems.add(
          DataProblem.ofFile(
              files.get(0).path().toString(),
              "has the symbols %s; give each symbol its own file".formatted(named)));
    }
    if (!options.symbol().isEmpty()) {
      return options.symbol();
    }
    String fileName = files.get(0).path().getFileName().toString();
    return named.isEmpty() ? fileName.replaceFirst("\\..*$", "") : named.get(0);
  }

  private BarsBuilder collect(String symbol) {
    ColumnLayout layout = files.get(0).layout();
    int total = files.stream().mapToInt(BarsFileReader::size).reduce(0, Math::addExact);
    long barMillis = options.barMillis() > 0 ? options.barMillis() : medianStep();
    BarsBuilder builder =
        new BarsBuilder(symbol, barMillis, layout.optional(), layout.extras(), total);
    double[] row = new double[layout.numbers().size()];
    for (BarsFileReader file : files) {
      boolean open =
          options.timeIsOpen() || file.layout().timeColumn() == ColumnLayout.TimeColumn.OPEN;
      long shift = open ? barMillis : file.format().toClose();
      sources.add(
          String.format(
              Locale.ROOT,
              "%s: %d rows, times are %s%s%s",
              file.path(),
              file.size(),
              file.format(),
              open ? ", of bar opens" : "",
              file.isNewestFirst() ? NEWEST_FIRST : ""));
      for (int t = 0; t < file.size(); t++) {
        for (int c = 0; c < row.length; c++) {
          row[c] = file.number(c, t);
        }
        long time = file.time(t);
        builder.add(time == BarsFileReader.NO_TIME ? time : time + shift, row);
      }
    }
    return builder;
  }

  private long medianStep() {
    long[] steps = new long[files.stream().mapToInt(BarsFileReader::size).sum()];
    int count = 0;
    for (BarsFileReader file : files) {
      for (int t = 1; t < file.size(); t++) {
        boolean readable =
            file.time(t) != BarsFileReader.NO_TIME && file.time(t - 1) != BarsFileReader.NO_TIME;
        if (readable && file.time(t) > file.time(t - 1)) {
          steps[count++] = file.time(t) - file.time(t - 1);
        }
      }
    }
    Arrays.sort(steps, 0, count);
    return count == 0 ? 0 : steps[(count - 1) / 2];
  }

  private void requireBarLength(BarsBuilder builder) {
    String file = files.get(0).path().toString();
    if (builder.size() < 2) {
      problems.add(
          DataProblem.ofFile(
              file, "has 1 bar; at least 2 are needed: a decision is filled on the next bar"));
    } else if (options.barMillis() == 0 && builder.size() < 3) {
      problems.add(
          DataProblem.ofFile(
              file, "has fewer than 3 bars, too few to determine the bar length; declare it"));
    }
  }

  private void validate(BarsBuilder builder) throws SQLException, IOException {
    ColumnLayout layout = files.get(0).layout();
    double[][] columns = new double[layout.numbers().size()][];
    Arrays.setAll(columns, builder::column);
    List<Finding> findings =
        new BarValidator(builder, columns, layout.optional().size(), layout.hasVolume())
            .validate(options.gapsAllowed());
    int first = 0;
    for (BarsFileReader file : files) {
      int from = first;
      int to = first + file.size();
      List<Finding> own =
          mostOfEachKind(findings.stream().filter(f -> f.row() >= from && f.row() < to).toList());
      problems.addAll(new ProblemLocator(file, from, columns).of(own));
      first = to;
    }
  }

  /** Leaves out what a kind has in excess, so that no kind hides another. */
  private static List<Finding> mostOfEachKind(List<Finding> findings) {
    Map<DataProblem.Kind, Integer> counts = new EnumMap<>(DataProblem.Kind.class);
    return findings.stream()
        .filter(finding -> counts.merge(finding.kind(), 1, Integer::sum) <= MOST_OF_A_KIND)
        .toList();
  }
}
