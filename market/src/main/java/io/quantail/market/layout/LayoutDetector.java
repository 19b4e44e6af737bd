package io.quantail.market.layout;

import io.quantail.market.data.BarFileLayout;
import io.quantail.market.data.BarFileLayout.Decimal;
import io.quantail.market.data.BarFileLayout.Prices;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.ColumnNames;
import io.quantail.market.data.DataException;
import io.quantail.market.layout.DetectedLayout.Basis;
import io.quantail.market.layout.DetectedLayout.PriceBasis;
import io.quantail.market.layout.DetectedLayout.ZoneBasis;
import io.quantail.market.layout.LayoutAnswers.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Detects how a file of bars is written from its first 20,000 lines. The same lines and answers
 * give the same result; {@code docs/reference/bar-files.md} has the rules.
 */
public final class LayoutDetector {
  private static final String NEW_YORK = "America/New_York";

  private final Path file;
  private final LayoutAnswers answers;
  private final CellTable table;
  private final ColumnGuess columns;
  private final List<String> questions = new ArrayList<>();

  private LayoutDetector(Path file, LayoutAnswers answers) throws IOException {
    this.file = file;
    this.answers = answers;
    this.table = CellTable.of(file);
    this.columns = new ColumnGuess(table);
  }

  /**
   * Detects the layout of a file.
   *
   * @param file text file, possibly compressed by gzip, or Parquet
   * @param answers what the user states
   * @return the layout, how it is known, and open questions
   * @throws DataException if the file is not a table of bars that can be recognised
   * @throws UncheckedIOException if the file cannot be read
   */
  public static DetectedLayout detect(Path file, LayoutAnswers answers) {
    try {
      List<String> parquet = BarsReader.parquetColumns(file);
      return parquet.isEmpty()
          ? new LayoutDetector(file, answers).detect()
          : parquet(parquet, answers);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  private static DetectedLayout parquet(List<String> names, LayoutAnswers answers) {
    List<String> folded = names.stream().map(ColumnNames::fold).toList();
    boolean close =
        folded.contains("ts") || folded.stream().anyMatch(ColumnNames.CLOSE_TIMES::contains);
    boolean stated = close || folded.stream().anyMatch(ColumnNames.OPEN_TIMES::contains);
    boolean adjusted =
        names.stream().anyMatch(name -> "adj_close".equals(ColumnNames.meaning(name)));
    Prices prices =
        answers.prices() != null ? answers.prices() : adjusted ? Prices.ADJUSTED : Prices.RAW;
    BarFileLayout plain = BarFileLayout.defaults();
    BarFileLayout layout =
        new BarFileLayout(
            1,
            List.of(),
            plain.separator(),
            plain.decimal(),
            plain.timeFormat(),
            answers.zone() == null ? plain.zone() : answers.zone().getId(),
            prices);
    return new DetectedLayout(
        FileForm.PARQUET,
        layout,
        answers.times() != null ? answers.times() == Times.OPEN : !close,
        answers.times() != null ? Basis.ANSWERED : stated ? Basis.COLUMN : Basis.ASSUMED,
        answers.zone() != null ? ZoneBasis.ANSWERED : ZoneBasis.FILE,
        priceBasis(answers, adjusted, false, false),
        "volume",
        false,
        List.of());
  }

  private DetectedLayout detect() {
    requireColumns();
    TimeCells.Guess times = TimeCells.of(columns.times(), answers.dates());
    if (times == null) {
      throw new DataException(
          "%s: times such as \"%s\" have no form that is known; write them as 2024-12-31 or 2024-12-31T16:00:00Z"
              .formatted(file, columns.times().get(0)));
    }
    if (times.orderUnclear()) {
      questions.add(
          "%s: day or month may come first in %s; answer with --dates day-first or --dates month-first"
              .formatted(file, columns.times().get(0)));
    }
    FileForm form = form();
    boolean dates = isDates(times, form);
    String format = dates && times.format().equals("iso") ? "date" : times.format();
    boolean adjusted = columns.isRead("adj_close");
    boolean equal = adjusted && columns.cells("adj_close").equals(columns.cells("close"));
    boolean already = !adjusted && form == FileForm.YAHOO;
    Prices prices = prices(adjusted, equal);
    String volume =
        columns.isRead("volume")
            ? Objects.requireNonNullElse(columns.name("volume"), "volume")
            : "";
    BarFileLayout layout =
        new BarFileLayout(
            columns.headerLines(),
            columns.meanings(),
            table.separator(),
            decimal(),
            format,
            zone(times, dates),
            prices);
    return new DetectedLayout(
        form,
        layout,
        timeIsOpen(form, dates),
        timeBasis(form, dates),
        zoneBasis(times, dates),
        priceBasis(answers, adjusted, equal, already),
        volume,
        ColumnNames.fold(volume).startsWith("tick"),
        List.copyOf(questions));
  }

  private void requireColumns() {
    if (!columns.hasBars()) {
      throw new DataException(
          file
              + " is not a table of bars: no line has a time and four prices, such as"
              + " 2024-12-31,10,12,9,11,1000");
    }
    List<String> missing = columns.missing();
    if (!missing.isEmpty()) {
      String names = columns.names().isEmpty() ? "" : "; its columns are " + columns.names();
      throw new DataException(
          "%s: no column is recognised as %s%s; rename it, or name it in market.data.layout.columns"
              .formatted(file, String.join(", ", missing), names));
    }
    if (!columns.fitsPrices()) {
      throw new DataException(
          file
              + ": without a header the columns after the time must be open, high, low, close, but"
              + " high is not always the highest; add a header");
    }
  }

  private FileForm form() {
    List<String> names = columns.names().stream().map(ColumnNames::fold).toList();
    Stream<String> written = columns.names().stream();
    if (columns.isBinance()) {
      return FileForm.BINANCE;
    } else if (columns.isKraken()) {
      return FileForm.KRAKEN;
    } else if (names.contains("ticker") && names.contains("per")) {
      return FileForm.STOOQ;
    } else if (written.anyMatch(name -> name.startsWith("<"))
        || (names.isEmpty() && columns.isRead("time"))) {
      return FileForm.METATRADER;
    } else if (names.contains("ts")) {
      return FileForm.QUANTAIL;
    } else if (file.getFileName().toString().matches("[A-Z0-9]+_[A-Z0-9_]+-\\d+[mhdw]\\b.*")) {
      return FileForm.FREQTRADE;
    } else if (columns.isRead("adj_close")
        || names.contains("stocksplits")
        || names.contains("price")) {
      return FileForm.YAHOO;
    } else if (names.equals(List.of("date", "open", "high", "low", "close", "volume"))
        && columns.names().get(0).equals("Date")) {
      return FileForm.STOOQ;
    }
    return !names.isEmpty() && columns.names().get(0).isEmpty() ? FileForm.PANDAS : FileForm.CSV;
  }

  /** Whether times are days: without a clock, or with one that always shows midnight. */
  private boolean isDates(TimeCells.Guess times, FileForm form) {
    boolean numbers = times.zoned() && times.clock();
    boolean canonical = form == FileForm.QUANTAIL && !times.format().equals("date");
    boolean closes = answers.times() == Times.CLOSE && !times.format().equals("date");
    boolean written =
        times.format().equals("iso")
            || times.format().equals("date")
            || !times.format().contains("%H");
    return !numbers && !times.clock() && !canonical && !closes && written;
  }

  private boolean timeIsOpen(FileForm form, boolean dates) {
    if (dates) {
      return false;
    }
    return answers.times() != null
        ? answers.times() == Times.OPEN
        : !columns.hasCloseTime() && form != FileForm.QUANTAIL;
  }

  private Basis timeBasis(FileForm form, boolean dates) {
    if (dates) {
      return Basis.DATES;
    } else if (answers.times() != null) {
      return Basis.ANSWERED;
    } else if (columns.hasOpenTime() || columns.hasCloseTime() || form == FileForm.QUANTAIL) {
      return Basis.COLUMN;
    }
    return form.hasOpenTimes() ? Basis.FORM : Basis.ASSUMED;
  }

  private String zone(TimeCells.Guess times, boolean dates) {
    ZoneBasis basis = zoneBasis(times, dates);
    return basis == ZoneBasis.ANSWERED
        ? Objects.requireNonNull(answers.zone()).getId()
        : basis == ZoneBasis.SESSIONS ? ZoneId.of(NEW_YORK).getId() : "UTC";
  }

  private ZoneBasis zoneBasis(TimeCells.Guess times, boolean dates) {
    if (dates) {
      return ZoneBasis.DATES;
    } else if (times.zoned()) {
      return ZoneBasis.FILE;
    } else if (answers.zone() != null) {
      return ZoneBasis.ANSWERED;
    }
    return times.sessions() ? ZoneBasis.SESSIONS : ZoneBasis.ASSUMED;
  }

  private Prices prices(boolean adjusted, boolean equal) {
    if (answers.prices() == Prices.ADJUSTED && !adjusted) {
      throw new DataException(
          file + " has no adjusted close, so its prices cannot be adjusted; use --prices raw");
    }
    return answers.prices() != null
        ? answers.prices()
        : adjusted && !equal ? Prices.ADJUSTED : Prices.RAW;
  }

  private static PriceBasis priceBasis(
      LayoutAnswers answers, boolean adjusted, boolean equal, boolean already) {
    if (answers.prices() != null) {
      return PriceBasis.ANSWERED;
    } else if (adjusted) {
      return equal ? PriceBasis.EQUAL_COLUMN : PriceBasis.ADJUSTED_COLUMN;
    }
    return already ? PriceBasis.ADJUSTED_ALREADY : PriceBasis.ONLY_PRICES;
  }

  /** The decimal sign of the prices; a comma is one only if the separator is another sign. */
  private Decimal decimal() {
    List<String> cells =
        Stream.of("open", "high", "low", "close")
            .flatMap(price -> columns.cells(price).stream())
            .filter(cell -> cell.contains(","))
            .toList();
    if (cells.isEmpty()) {
      return Decimal.POINT;
    }
    boolean thousands =
        cells.stream().allMatch(cell -> cell.matches("\\d{1,3}(,\\d{3})+(\\.\\d+)?"));
    boolean decimals =
        cells.stream().allMatch(cell -> cell.matches("\\d+,\\d*|\\d{1,3}(\\.\\d{3})+,\\d*"));
    if (answers.decimal() != null) {
      return answers.decimal();
    }
    if (!decimals) {
      throw new DataException(
          "%s: \"%s\" is not a number that is known; write 1234.5 or 1234,5"
              .formatted(file, cells.get(0)));
    }
    if (thousands) {
      questions.add(
          ("%s: the comma in %s may be a decimal sign or separate thousands; answer with --decimal"
                  + " comma, or remove the commas from the file")
              .formatted(file, cells.get(0)));
    }
    return Decimal.COMMA;
  }
}
