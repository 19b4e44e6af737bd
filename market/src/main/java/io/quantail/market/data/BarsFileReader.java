package io.quantail.market.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file with DuckDB into plain arrays without validating it: unreadable numbers become
 * NaN, unreadable times {@link #NO_TIME}.
 */
final class BarsFileReader {
  static final long NO_TIME = Long.MIN_VALUE;

  private static final String KEEP_REJECTS = ", store_rejects=true, rejects_limit=0";

  private final Connection connection;
  private final Path path;
  private final BarFileLayout form;
  private final @Nullable TextFileProbe text; // null for Parquet
  private final @Nullable ColumnLayout layout;
  private final @Nullable String source;
  private final Set<Long> refusedLines = new TreeSet<>();
  private final List<DataProblem> problems = new ArrayList<>();
  private TimeSpec format = new TimeSpec(TimeFormat.ISO, "", ZoneOffset.UTC);
  private long[] times = new long[0];
  private double[][] numbers = new double[0][];
  private boolean newestFirst;
  private @Nullable String oneSymbol; // of all rows; null if there is none, or several

  BarsFileReader(Connection connection, Path path, BarFileLayout form)
      throws SQLException, IOException {
    this.connection = connection;
    this.path = path;
    this.form = form;
    FileStamp before = FileStamp.of(path);
    boolean parquet = isParquet(path);
    this.text = parquet ? null : new TextFileProbe(path, form);
    if (text != null && text.isEmpty()) {
      problem(0, "", "", "is empty; it must have a header and bars");
      this.source = null;
      this.layout = null;
      return;
    }
    this.source = parquet ? "read_parquet(" + literal(path) + ")" : csv("");
    this.layout =
        new ColumnLayout(
            parquet ? parquetColumns(connection, path) : Objects.requireNonNull(text).columns(),
            !parquet && form.hasColumns());
    for (String column : layout.missing()) {
      problem(
          0,
          column,
          "",
          "is missing; the file must have ts, open, high, low, close, volume; quantail init"
              + " recognises other layouts");
    }
    if (layout.missing().isEmpty()) {
      requireAdjusted();
      load();
    }
    if (!before.equals(FileStamp.of(path))) {
      problem(0, "", "", FileStamp.CHANGED);
    }
  }

  static boolean isParquet(Path path) throws IOException {
    try (InputStream stream = Files.newInputStream(path)) {
      return Arrays.equals(stream.readNBytes(4), "PAR1".getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Reads every column as text, so that errors can quote cells that are not numbers. */
  private String csv(String option) {
    String header =
        form.headerLines() == 0
            ? "header=false"
            : "header=true" + (form.headerLines() > 1 ? ", skip=" + (form.headerLines() - 1) : "");
    String columns =
        Objects.requireNonNull(text).columns().stream()
            .map(name -> quoted(name) + ": 'VARCHAR'")
            .collect(Collectors.joining(", "));
    return "read_csv(%s, auto_detect=false, %s, delim=%s, quote='\"', columns={%s}, ignore_errors=true%s)"
        .formatted(literal(path), header, quoted(text.separator()), columns, option);
  }

  /** The names of the columns of a Parquet file. */
  static List<String> parquetColumns(Connection connection, Path path) throws SQLException {
    List<String> names = new ArrayList<>();
    String query = "DESCRIBE SELECT * FROM read_parquet(" + literal(path) + ")";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private boolean isAdjusted() {
    return form.prices() == BarFileLayout.Prices.ADJUSTED
        && Objects.requireNonNull(layout).adjusted() != null;
  }

  private void requireAdjusted() {
    String adjusted = Objects.requireNonNull(layout).adjusted();
    if (form.prices() == BarFileLayout.Prices.ADJUSTED && adjusted == null) {
      problem(
          0,
          "adj_close",
          "",
          "is missing; market.data.layout.prices: adjusted needs it, raw does not");
    } else if (adjusted != null && !isAdjusted() && !form.hasColumns()) {
      problems.add(
          new DataProblem(
              DataProblem.Severity.WARNING,
              DataProblem.Kind.FILE,
              path.toString(),
              0,
              adjusted,
              "",
              "is not used; market.data.layout.prices: adjusted scales all prices to it"));
    }
  }

  private void load() throws SQLException, IOException {
    TimeSpec declared = TimeSpec.declared(form);
    String first = firstSymbol();
    format = declared != null ? declared : timeFormat("(SELECT * FROM " + source + " LIMIT 1000)");
    FileRows rows = read(text == null ? source : csv(KEEP_REJECTS), first, declared == null);
    readRejects();
    if (rows.size() == 0) {
      problem(0, "", "", "has a header but no bars; add bars below it");
      return;
    }
    if (declared == null && !rows.prove(format.format())) {
      TimeSpec found = timeFormat(source); // the first rows are not like the rest
      if (!found.equals(format)) {
        format = found;
        rows = read(source, first, false);
      }
    }
    oneSymbol = rows.sameSymbol() ? first : null;
    times = new long[rows.size()];
    numbers = rows.numbers();
    double[] written = rows.times();
    double[] adjustedCloses = rows.adjustedCloses();
    orderByTime(written, adjustedCloses);
    for (int row = 0; row < times.length; row++) {
      times[row] = format.millis(written[row], row == 0 ? NO_TIME : times[row - 1]);
    }
    if (Arrays.stream(times).allMatch(time -> time == NO_TIME)) {
      refuseTimes();
    } else {
      adjust(adjustedCloses);
    }
  }

  /** Turns a file around whose rows are all in descending order. */
  private void orderByTime(double[] written, double[] adjustedCloses) {
    newestFirst = written.length > 1;
    for (int row = 1; row < written.length && newestFirst; row++) {
      newestFirst = written[row] < written[row - 1]; // false for what is no time
    }
    if (newestFirst) {
      reverse(written);
      reverse(adjustedCloses);
      for (double[] column : numbers) {
        reverse(column);
      }
    }
  }

  private static void reverse(double[] values) {
    for (int i = 0, j = values.length - 1; i < j; i++, j--) {
      double value = values[i];
      values[i] = values[j];
      values[j] = value;
    }
  }

  /** Numbers of rows in the file, which are counted from its end if it is newest first. */
  private int[] inFile(int[] rows) {
    return newestFirst ? Arrays.stream(rows).map(row -> times.length - 1 - row).toArray() : rows;
  }

  /** Refuses a file in which no row has a time; its rows are not looked at. */
  private void refuseTimes() throws SQLException, IOException {
    String column = Objects.requireNonNull(layout).time();
    int[] first = {0};
    problem(
        lines(first)[0],
        column,
        String.valueOf(cells(column, first).get(0)),
        times.length < 2
            ? "must be a time"
            : "must be a time, as in all rows; quantail init recognises other forms");
    times = new long[0];
    numbers = new double[0][];
  }

  /** Multiplies the prices of each row by its adjusted close over its close. */
  private void adjust(double[] adjustedCloses) throws SQLException, IOException {
    List<Integer> wrong = new ArrayList<>();
    for (int row = 0; row < adjustedCloses.length; row++) {
      double factor = adjustedCloses[row] / numbers[BarsBuilder.CLOSE][row];
      if (!(adjustedCloses[row] > 0) || adjustedCloses[row] == Double.POSITIVE_INFINITY) {
        wrong.add(row);
      } else if (factor > 0 && factor < Double.POSITIVE_INFINITY) {
        for (int c = BarsBuilder.OPEN; c <= BarsBuilder.CLOSE; c++) {
          numbers[c][row] *= factor;
        }
      }
    }
    if (wrong.isEmpty()) {
      return;
    }
    int[] rows = wrong.stream().limit(1000).mapToInt(Integer::intValue).toArray();
    String name = Objects.requireNonNull(Objects.requireNonNull(layout).adjusted());
    List<String> written = cells(name, rows);
    long[] lines = lines(rows);
    for (int i = 0; i < rows.length; i++) {
      problem(lines[i], name, String.valueOf(written.get(i)), "must be a positive price");
    }
  }

  /** SQL of the number in a column; NaN if it is none, 0 for volumes that the file lacks. */
  private String number(String name) {
    ColumnLayout columns = Objects.requireNonNull(layout);
    if (!columns.hasVolume() && name.equals(columns.numbers().get(BarsBuilder.VOLUME))) {
      return "0::DOUBLE";
    }
    String cell = column(name);
    if (text != null && form.decimal() == BarFileLayout.Decimal.COMMA) {
      cell = "replace(replace(" + cell + ", '.', ''), ',', '.')";
    }
    return "COALESCE(TRY_CAST(" + cell + " AS DOUBLE), 'NaN'::DOUBLE)";
  }

  /**
   * Reads all rows in one pass over the file.
   *
   * @param from SQL of the file
   * @param first symbol of its first row
   * @param undeclared whether the format of times is to be proven
   */
  private FileRows read(@Nullable String from, @Nullable String first, boolean undeclared)
      throws SQLException {
    String time = timeText();
    ColumnLayout columns = Objects.requireNonNull(layout);
    List<String> names = columns.numbers();
    String cells = names.stream().map(this::number).collect(Collectors.joining(", "));
    String adjusted = isAdjusted() ? number(Objects.requireNonNull(columns.adjusted())) : "0";
    String marks =
        (undeclared ? FileRows.ofDay(time) : "0")
            + (columns.symbol() == null
                ? ""
                : " + " + FileRows.otherSymbol(symbolText(), first == null ? null : quoted(first)));
    String query =
        "SELECT %s, %s, %s, %s FROM %s"
            .formatted(marks, format.number(time), cells, adjusted, from);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return FileRows.read(rows, names.size(), isAdjusted());
    }
  }

  /**
   * Determines the format of times.
   *
   * @param from SQL of the rows that are looked at
   */
  private TimeSpec timeFormat(@Nullable String from) throws SQLException {
    String query =
        ("SELECT count(*), count(TRY_CAST(%1$s AS DOUBLE)), count(TRY_CAST(%1$s AS TIMESTAMP)),"
                + " count(*) FILTER (length(trim(%1$s)) = 10),"
                + " COALESCE(median(TRY_CAST(%1$s AS DOUBLE)), 0) FROM %2$s")
            .formatted(timeText(), from);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      boolean number = row.getLong(2) > row.getLong(3);
      boolean days = row.getLong(4) >= row.getLong(1) && row.getLong(3) > 0;
      TimeFormat found =
          number ? TimeFormat.ofNumber(row.getDouble(5)) : TimeFormat.ofWritten(days);
      return new TimeSpec(found, "", ZoneId.of(form.zone()));
    }
  }

  private @Nullable String firstSymbol() throws SQLException {
    if (Objects.requireNonNull(layout).symbol() == null) {
      return null;
    }
    String query = "SELECT %s FROM %s LIMIT 1".formatted(symbolText(), source);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  private String symbolText() {
    String name = Objects.requireNonNull(Objects.requireNonNull(layout).symbol());
    return "trim(" + column(name) + "::VARCHAR)";
  }

  /** Reports lines with too few or too many cells. */
  private void readRejects() throws SQLException {
    if (text == null) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      String query = "SELECT DISTINCT line FROM reject_errors WHERE line > 0 ORDER BY line";
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          refusedLines.add(rows.getLong(1));
          problem(
              rows.getLong(1),
              "",
              "",
              form.hasColumns()
                  ? String.format(
                      Locale.ROOT, "must have %d cells, one per column", form.columns().size())
                  : "must have as many cells as the header");
        }
      }
      statement.execute("DROP TABLE IF EXISTS reject_errors");
      statement.execute("DROP TABLE IF EXISTS reject_scans");
    }
  }

  /** The time as text: the types of Parquet columns then need no treatment of their own. */
  private String timeText() {
    ColumnLayout columns = Objects.requireNonNull(layout);
    String time = column(columns.time()) + "::VARCHAR";
    String clock = columns.clock() == null ? "" : " || ' ' || " + column(columns.clock());
    return "(" + time + clock + ")";
  }

  /** The text of a column's cells in some rows. */
  List<String> cells(String name, int[] ordered) throws SQLException {
    int[] rows = inFile(ordered);
    String list = Arrays.stream(rows).mapToObj(String::valueOf).collect(Collectors.joining(","));
    String query =
        "SELECT n, c FROM (SELECT row_number() OVER () - 1 AS n, %s::VARCHAR AS c FROM %s) WHERE n IN (%s)"
            .formatted(column(name), source, list);
    String[] cells = new String[rows.length];
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        int row = (int) found.getLong(1);
        for (int i = 0; i < rows.length; i++) {
          cells[i] = rows[i] == row ? found.getString(2) : cells[i];
        }
      }
    }
    return Arrays.asList(cells);
  }

  /** The values of the column {@code symbol}, at most five; empty if there is no such column. */
  List<String> symbols() throws SQLException {
    List<String> symbols = new ArrayList<>();
    if (oneSymbol != null) {
      symbols.add(oneSymbol);
    } else if (layout != null && layout.symbol() != null && size() > 0) {
      String query =
          "SELECT DISTINCT %s AS s FROM %s ORDER BY s LIMIT 5".formatted(symbolText(), source);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          symbols.add(String.valueOf(rows.getString(1)));
        }
      }
    }
    return symbols;
  }

  /** The line of each row in a text file, or its number in a Parquet file, counted from 1. */
  long[] lines(int[] ordered) throws IOException {
    int[] rows = inFile(ordered);
    if (text != null) {
      return text.lines(rows, refusedLines);
    }
    return Arrays.stream(rows).mapToLong(row -> row + 1L).toArray();
  }

  private void problem(long line, String column, String value, String rule) {
    problems.add(
        new DataProblem(
            DataProblem.Severity.ERROR,
            line == 0 ? DataProblem.Kind.FILE : DataProblem.Kind.VALUE,
            path.toString(),
            line,
            column,
            value,
            rule));
  }

  List<DataProblem> problems() {
    return problems;
  }

  Path path() {
    return path;
  }

  ColumnLayout layout() {
    return Objects.requireNonNull(layout);
  }

  TimeSpec format() {
    return format;
  }

  /** Whether the rows of the file are in descending order of time; they are turned around here. */
  boolean isNewestFirst() {
    return newestFirst;
  }

  int size() {
    return times.length;
  }

  /** The time as in the file, not shifted to the close; {@link #NO_TIME} if unreadable. */
  long time(int row) {
    return times[row];
  }

  double number(int column, int row) {
    return numbers[column][row];
  }

  int numberColumns() {
    return numbers.length;
  }

  static String oneLine(String message) {
    return String.valueOf(message).lines().findFirst().orElse("").strip();
  }

  private static String column(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  /** SQL of a file name, whose characters must not be taken for those of a glob. */
  private static String literal(Path path) {
    return quoted(path.toString().replaceAll("[\\[*?]", "[$0]"));
  }

  private static String quoted(String value) {
    return "'" + value.replace("'", "''") + "'";
  }
}
