package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.SampleBars;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DATA-1")
class BarsReaderTest {
  private static final String HEADER = "ts,open,high,low,close,volume\n";
  private static final String GOOD =
      HEADER
          + "2024-01-01T01:00:00Z,10,12,9,11,100\n"
          + "2024-01-01T02:00:00Z,11,13,10,12,200\n"
          + "2024-01-01T03:00:00Z,12,14,11,13,300\n";
  private static final long FIRST = 1_704_070_800_000L; // 2024-01-01T01:00:00Z

  @TempDir Path directory;

  @Test
  void shouldReadIsoTimesAsCloses() throws IOException {
    Bars bars = read(GOOD).orThrow();
    assertThat(bars.size()).isEqualTo(3);
    assertThat(bars.symbol()).isEqualTo("bars");
    assertThat(bars.barMillis()).isEqualTo(3_600_000);
    assertThat(bars.time(0)).isEqualTo(FIRST);
    assertThat(bars.open(1)).isEqualTo(11);
    assertThat(bars.high(1)).isEqualTo(13);
    assertThat(bars.low(1)).isEqualTo(10);
    assertThat(bars.close(1)).isEqualTo(12);
    assertThat(bars.volume(2)).isEqualTo(300);
    assertThat(bars.quoteVolume(2)).isEqualTo(3900);
    assertThat(bars.has(Bars.Optional.TRADES)).isFalse();
    assertThat(bars.value(Bars.Optional.TRADES, 0)).isNaN();
  }

  @Test
  void shouldSayHowTimesAreWritten() throws IOException {
    assertThat(read(GOOD).sources().get(0)).endsWith("3 rows, times are ISO-8601 (UTC)");
    BarsReadReport seconds = read(times("1704070800", "1704074400", "1704078000"));
    assertThat(seconds.sources().get(0)).endsWith("times are seconds since 1970");
    assertThat(seconds.orThrow().time(0)).isEqualTo(FIRST);
    BarsReadReport millis = read(times("1704070800000", "1704074400000", "1704078000000"));
    assertThat(millis.sources().get(0)).endsWith("times are milliseconds since 1970");
    assertThat(millis.orThrow().time(0)).isEqualTo(FIRST);
    BarsReadReport zoned =
        read(
            times(
                "2024-01-01T02:00:00+01:00",
                "2024-01-01T03:00:00+01:00",
                "2024-01-01T04:00:00+01:00"));
    assertThat(zoned.orThrow().time(0)).isEqualTo(FIRST);
  }

  /** The format of the first thousand rows is tried first. */
  @Test
  void shouldDetermineTheFormatOfTimesFromAllRows() throws IOException {
    String[] days = new String[1201];
    for (int day = 0; day < 1200; day++) {
      days[day] = LocalDate.of(2020, 1, 1).plusDays(day).toString();
    }
    days[1200] = "2023-04-15T00:00:00Z";
    BarsReadReport written = read(times(days));
    assertThat(written.sources().get(0)).endsWith("1201 rows, times are ISO-8601 (UTC)");
    assertThat(written.orThrow().time(1199)).isEqualTo(1_681_430_400_000L); // 2023-04-14, its start

    String[] few = new String[3000];
    for (int row = 0; row < few.length; row++) {
      few[row] = row < 1000 ? String.valueOf(row + 1) : String.valueOf(1_704_070_800_000L + row);
    }
    assertThat(read(times(few)).sources().get(0)).endsWith("times are milliseconds since 1970");
  }

  @Test
  void shouldFindASecondSymbolInTheLastRow() throws IOException {
    StringBuilder text = new StringBuilder("symbol," + HEADER);
    for (int row = 0; row < 1500; row++) {
      text.append(row < 1499 ? "BTC" : "ETH").append(',').append(1_704_070_800 + 60 * row);
      text.append(",10,12,9,11,100\n");
    }
    assertThat(read(text.toString()).errors().toString()).contains("has the symbols [BTC, ETH]");
  }

  @Test
  void shouldCloseADatedBarWithItsDay() throws IOException {
    Bars bars = read(times("2024-01-01", "2024-01-02", "2024-01-03")).orThrow();
    assertThat(bars.barMillis()).isEqualTo(86_400_000);
    assertThat(bars.time(0)).isEqualTo(1_704_153_600_000L); // 2024-01-02T00:00:00Z
  }

  @Test
  void shouldAddABarToTimesOfOpens() throws IOException {
    Path file = write("bars.csv", GOOD);
    BarsReadReport report = BarsReader.read(file.toString(), new BarsOptions("", 0, true, false));
    assertThat(report.orThrow().time(0)).isEqualTo(FIRST + 3_600_000);
    assertThat(report.sources().get(0)).endsWith(", of bar opens");
    Bars named = read(GOOD.replace("ts,", "Open Time,")).orThrow();
    assertThat(named.time(0)).isEqualTo(FIRST + 3_600_000);
  }

  @Test
  void shouldKnowAliasesSeparatorsAndExtraColumns() throws IOException {
    Bars bars =
        read("""
        symbol;Close_Time;O;H;L;C;Base Volume;quote_asset_volume;num_trades;taker_buy_base;x_mood
        BTC;1704070800;10;12;9;11;100;1050;7;60;0.5
        BTC;1704074400;11;13;10;12;200;2300;8;90;
        BTC;1704078000;12;14;11;13;300;3750;9;120;-1
        """)
            .orThrow();
    assertThat(bars.symbol()).isEqualTo("BTC");
    assertThat(bars.quoteVolume(1)).isEqualTo(2300);
    assertThat(bars.value(Bars.Optional.TRADES, 2)).isEqualTo(9);
    assertThat(bars.value(Bars.Optional.TAKER_BUY_VOLUME, 0)).isEqualTo(60);
    assertThat(bars.extraNames()).containsExactly("x_mood");
    assertThat(bars.extra("x_mood", 0)).isEqualTo(0.5);
    assertThat(bars.extra("x_mood", 1)).isNaN();
    assertThatThrownBy(() -> bars.extra("x_other", 0)).hasMessageContaining("x_mood");
  }

  @Test
  void shouldGiveTheSameFingerprintForEveryKindOfFile() throws IOException, SQLException {
    Path csv = write("bars.csv", GOOD);
    Path zipped = directory.resolve("bars.csv.gz");
    try (OutputStream stream = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      stream.write(GOOD.getBytes(StandardCharsets.UTF_8));
    }
    Path parquet = directory.resolve("bars.parquet");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (SELECT * FROM read_csv('%s')) TO '%s' (FORMAT parquet)".formatted(csv, parquet));
    }
    String fingerprint = read(csv).orThrow().fingerprint();
    assertThat(read(zipped).orThrow().fingerprint()).isEqualTo(fingerprint);
    assertThat(read(parquet).orThrow().fingerprint()).isEqualTo(fingerprint);
    Path other = write("other.csv", GOOD.replace("13,300", "13.0001,300"));
    BarsOptions same = new BarsOptions("bars", 0, false, false);
    assertThat(BarsReader.read(other.toString(), same).orThrow().fingerprint())
        .isNotEqualTo(fingerprint);
  }

  @Test
  void shouldJoinTheFilesOfAGlob() throws IOException {
    write("part-1.csv", GOOD);
    write("part-2.csv", HEADER + "1704081600,13,14,12,13,50\n1704085200,13,14,12,13,60\n");
    Bars bars =
        BarsReader.read(directory + "/part-*.csv", new BarsOptions("A", 0, false, false)).orThrow();
    assertThat(bars.size()).isEqualTo(5);
    assertThat(bars.volume(4)).isEqualTo(60);
    write("part-3.csv", HEADER + "1704085200,13,14,12,13,60\n");
    assertThat(BarsReader.read(directory + "/part-*.csv", SampleBars.UNDECLARED).errors())
        .singleElement()
        .hasToString(
            directory
                + "/part-3.csv, line 2, column ts: \"1704085200\" is also the time of the"
                + " previous bar; each bar must have its own time");
  }

  @Test
  void shouldListAllProblemsAtOnceWithTheirPlace() throws IOException {
    BarsReadReport report =
        read(
            HEADER
                + "1704070800,10,12,9,11,100\n"
                + "1704074400,ten,13,10,12,200\n" // text in a number
                + "\n"
                + "1704078000,12,10,11,13,300\n" // high < low
                + "1704078000,12,14,11,13,300\n" // twice
                + "1704070000,12,14,11,13,300\n" // unsorted
                + "1704085200,-12,14,11,13,300\n" // negative
                + "1704088800,12,NaN,11,13,-1\n" // NaN, negative volume
                + "1704099600,12,14,11,13,\n" // gap, missing volume
                + "1704103200000,12,14,11,13,0\n" // milliseconds among seconds, no volume
                + "soon,12,14,12.5,13,1\n" // not a time, low above open
                + "1,2\n"); // too few cells
    assertThat(report.bars()).isNull();
    assertThat(report.errors())
        .extracting(problem -> problem.toString().replaceFirst("^.*bars.csv, ", ""))
        .containsExactly(
            "line 3, column open: \"ten\" must be a finite number",
            "line 5, column high: \"10.0\" must be at least low (11.0)",
            "line 6, column ts: \"1704078000\" is also the time of the previous bar; each bar must"
                + " have its own time",
            "line 7, column ts: \"1704070000\" is earlier than the previous bar; sort the file by"
                + " time",
            "line 8, column open: \"-12.0\" must be a positive price",
            "line 8, column ts: \"1704085200\" is 15200s after the previous bar, the bar length is"
                + " 1h; add the missing bars, or allow gaps (market.data.gaps=allow or"
                + " --allow-gaps)",
            "line 9, column high: \"NaN\" must be a finite number",
            "line 9, column volume: \"-1.0\" must be at least 0",
            "line 10, column volume: is missing",
            "line 10, column ts: \"1704099600\" is 3h after the previous bar, the bar length is 1h;"
                + " add the missing bars, or allow gaps (market.data.gaps=allow or --allow-gaps)",
            "line 11, column ts: \"1704103200000\" must be a time, written as in the rest of the"
                + " file",
            "line 12, column low: \"12.5\" must be at most open (12.0) and close (13.0)",
            "line 12, column ts: \"soon\" must be a time, written as in the rest of the file",
            "line 13: must have as many cells as the header");
    assertThat(report.warnings())
        .extracting(DataProblem::toString)
        .singleElement()
        .asString()
        .endsWith("line 11, column volume: \"0.0\" means that the bar has no trades");
    assertThatThrownBy(report::orThrow)
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("14 problems in the data:\n  ")
        .satisfies(thrown -> assertThat(((DataException) thrown).problems()).hasSize(14));
  }

  @Test
  void shouldTakeGapsThatAreDeclared() throws IOException {
    String text = GOOD + "2024-01-03T09:00:00Z,12,14,11,13,300\n";
    assertThat(read(text).errors()).hasSize(1);
    Path file = write("bars.csv", text);
    Bars bars = BarsReader.read(file.toString(), new BarsOptions("", 0, false, true)).orThrow();
    assertThat(bars.size()).isEqualTo(4);
    assertThat(bars.barMillis()).isEqualTo(3_600_000);
  }

  @Test
  void shouldRefuseFilesThatAreNone() throws IOException {
    assertThat(problems("")).containsExactly("is empty; it must have a header and bars");
    assertThat(problems(HEADER)).containsExactly("has a header but no bars; add bars below it");
    assertThat(problems("ts,open,low,close\n1,2,1,2\n"))
        .containsExactly(
            "column high: is missing; the file must have ts, open, high, low, close, volume;"
                + " quantail init recognises other layouts",
            "column volume: is missing; the file must have ts, open, high, low, close, volume;"
                + " quantail init recognises other layouts");
    assertThat(problems(HEADER + "1704070800,10,12,9,11,100\n"))
        .containsExactly("has 1 bar; at least 2 are needed: a decision is filled on the next bar");
    assertThat(problems(times("1704070800", "1704074400")))
        .containsExactly("has fewer than 3 bars, too few to determine the bar length; declare it");
    assertThat(
            problems(
                "symbol,"
                    + HEADER
                    + "A,1704070800,10,12,9,11,100\n"
                    + "B,1704074400,10,12,9,11,100\nA,1704078000,10,12,9,11,100\n"))
        .containsExactly("has the symbols [A, B]; give each symbol its own file");
    assertThat(BarsReader.read(directory + "/none.csv", SampleBars.UNDECLARED).errors())
        .extracting(DataProblem::rule)
        .containsExactly("does not exist; check the name");
    Path noise = directory.resolve("noise.parquet");
    Files.write(noise, "PAR1 this is not Parquet".getBytes(StandardCharsets.US_ASCII));
    assertThat(read(noise).errors().get(0).rule()).startsWith("cannot be read: ");
  }

  @Test
  void shouldRefuseBarsShorterThanDeclared() throws IOException {
    Path file = write("bars.csv", GOOD);
    BarsReadReport report =
        BarsReader.read(file.toString(), new BarsOptions("", 7_200_000, false, false));
    assertThat(report.errors()).hasSize(2);
    assertThat(report.errors().get(0).rule())
        .isEqualTo(
            "is 1h after the previous bar, less than the bar length of 2h; correct one of them");
  }

  @Test
  void shouldWarnOfAWildMove() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 40; i++) {
      double close = i == 30 ? 200 : 100 + i % 3;
      text.append("%d,%s,%s,%s,%s,1\n".formatted(1704070800 + 60 * i, close, close, close, close));
    }
    assertThat(read(text.toString()).warnings())
        .extracting(DataProblem::line)
        .containsExactly(32L, 33L);
  }

  @Test
  void shouldReadAFileOfThatVeryName() throws IOException {
    write("c1.csv", GOOD.replace(",12,9,11,", ",12,9,10.5,"));
    write("bx.csv", GOOD.replace(",12,9,11,", ",12,9,10.5,"));
    Path brackets = write("c[1].csv", GOOD);
    Path question = write("b?.csv", GOOD);
    Path star = write("b*.csv", GOOD);
    double close = read(GOOD).orThrow().close(0);
    for (Path file : List.of(brackets, question, star)) {
      BarsReadReport report =
          BarsReader.read(file.toString(), new BarsOptions("", 0, false, false));
      assertThat(report.sources()).as(file.toString()).hasSize(1);
      assertThat(report.sources().get(0)).startsWith(file + ": 3 rows");
      assertThat(report.orThrow().close(0)).isEqualTo(close);
      assertThat(report.orThrow().fingerprint()).isNotNull();
    }
    // a name that is no file is a glob still
    String glob = directory.resolve("c?.csv").toString();
    assertThat(BarsReader.files(glob)).containsExactly(directory.resolve("c1.csv"));
  }

  @Test
  void shouldRefuseALineThatIsNoLineOfBars() throws IOException {
    Path file = directory.resolve("endless.csv");
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 300; i++) {
        out.write(megabyte);
      }
    }
    BarsReadReport report = BarsReader.read(file.toString(), new BarsOptions("", 0, false, false));
    assertThat(report.errors()).hasSize(1);
    assertThat(report.errors().get(0).toString())
        .contains("a line of more than 1,048,576 characters");
  }

  @Test
  void shouldTurnAFileAroundThatIsNewestFirst() throws IOException {
    List<String> lines = new ArrayList<>(GOOD.lines().toList());
    List<String> rows = new ArrayList<>(lines.subList(1, lines.size()));
    Collections.reverse(rows);
    String turned = lines.get(0) + "\n" + String.join("\n", rows) + "\n";
    BarsReadReport report = read(turned);
    assertThat(report.sources().get(0)).endsWith(BarsReader.NEWEST_FIRST);
    assertThat(report.orThrow().fingerprint()).isEqualTo(read(GOOD).orThrow().fingerprint());
    // a problem is still reported on its line of the file
    BarsReadReport wrong =
        read(
            turned
                .replaceFirst("(?m)^([^,]*),[^,]*(,.*)$", "$1,open$2")
                .replace(rows.get(0), rows.get(0).replaceFirst(",[^,]*,", ",0,")));
    assertThat(wrong.errors()).hasSize(1);
    assertThat(wrong.errors().get(0).line()).isEqualTo(2);
    assertThat(wrong.errors().get(0).rule()).contains("positive price");
    // one row out of order is no newest-first file
    Collections.swap(rows, 0, 1);
    assertThat(read(lines.get(0) + "\n" + String.join("\n", rows) + "\n").errors()).isNotEmpty();
  }

  @Test
  void shouldWarnOnceOfBarsThatRepeat() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    String[] bars = {"1,2", "3,4", "3,4", "3,4", "3,4", "5,6", "5,6", "7,0", "7,0"};
    for (int i = 0; i < bars.length; i++) {
      String close = bars[i].split(",")[0];
      String volume = bars[i].split(",")[1];
      text.append(
          "%d,%s,%s,%s,%s,%s\n".formatted(1704070800 + 60 * i, close, close, close, close, volume));
    }
    assertThat(read(text.toString()).warnings())
        .extracting(problem -> problem.toString().replaceFirst("^.*bars.csv, ", ""))
        .contains(
            "line 4, column ts: \"1704070920\" repeats prices and volume of the previous bar,"
                + " repeated bars in a row: 3",
            "line 8, column ts: \"1704071160\" repeats prices and volume of the previous bar,"
                + " repeated bars in a row: 1")
        .hasSize(4); // and two bars without trades
  }

  private List<String> problems(String text) throws IOException {
    return read(text).errors().stream()
        .map(problem -> problem.toString().replaceFirst("^.*bars.csv(, |: )", ""))
        .toList();
  }

  private static String times(String... times) {
    StringBuilder text = new StringBuilder(HEADER);
    for (String time : times) {
      text.append(time).append(",10,12,9,11,100\n");
    }
    return text.toString();
  }

  private BarsReadReport read(String text) throws IOException {
    return read(write("bars.csv", text));
  }

  private static BarsReadReport read(Path file) {
    return BarsReader.read(file.toString(), SampleBars.UNDECLARED);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
