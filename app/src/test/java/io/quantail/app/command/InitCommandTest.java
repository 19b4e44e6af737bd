package io.quantail.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.data.Bars;
import io.quantail.market.data.FileStamp;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as users have them: init recognises them, train takes the configuration as it is. */
@Requirement("DATA-3")
class InitCommandTest {
  @TempDir private Path directory;

  static List<BarFileSample> samples() {
    return BarFileSample.all();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldWriteAConfigurationThatTrains(BarFileSample sample) throws IOException {
    Path file = write(sample);
    Path config = directory.resolve("init.yaml");
    Invocation made = init(file, "--out", config.toString());
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.OK);
    assertThat(made.out().lines().map(line -> line.split(":")[0]))
        .containsSubsequence("Bars", "Times", "Gaps", "Prices", "Account");
    assertSame(read(config).get(0), sample.bars());

    Invocation trained =
        Invocation.of(
            "train",
            config.toString(),
            "--json",
            "--run",
            directory.resolve("run").toString(),
            "--set",
            "environment.count=4",
            "--set",
            "rollout.steps=32",
            "--set",
            "ppo.batchSize=64",
            "--set",
            "network.hidden=8",
            "--steps",
            "128");
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
  }

  private static void assertSame(Bars read, List<BarFileSample.Row> written) {
    assertThat(read.size()).isEqualTo(written.size());
    for (int t = 0; t < read.size(); t++) {
      BarFileSample.Row row = written.get(t);
      assertThat(read.time(t)).as("close of bar %d", t).isEqualTo(row.to());
      assertThat(List.of(read.open(t), read.high(t), read.low(t), read.close(t), read.volume(t)))
          .as("bar %d", t)
          .isEqualTo(List.of(row.open(), row.high(), row.low(), row.close(), row.volume()));
    }
  }

  @Test
  void shouldExplainWhatItFoundAndAssumedIn80Columns() throws IOException {
    Path file = write(BarFileSample.yahoo());
    Invocation made = init(file, "--out", directory.resolve("a.yaml").toString());
    assertThat(flat(made))
        .contains(
            "300 of 1d, 2023-01-02 to 2024-02-27",
            "Times: dates, each bar closes with its day Gaps: ",
            "59 weekends, 2 holidays; accepted, not filled in",
            "Prices: scaled to the adjusted close (assumed; else --prices raw)",
            "Account: 10,000 USD (assumed), below 0.01 % of a median bar (158,579,738)");
    assertThat(made.out().lines().limit(5)).allMatch(line -> line.length() <= 80);
    Invocation plain = init(write(BarFileSample.stooq()), "--out", directory + "/b.yaml");
    assertThat(plain.out())
        .contains("Prices:  as they are; adjusted already (assumed: no move looks like a split)\n");
  }

  @Test
  void shouldSizeTheAccountToTheQuoteCurrencyAndTheMarket() throws IOException {
    Path btc = write(BarFileSample.freqtrade());
    Path config = directory.resolve("a.yaml");
    assertThat(init(btc, "--out", config.toString()).out()).contains("Account: 0.1 BTC, ");
    assertThat(settings(config).execution().initialCash()).isEqualTo(0.1);

    BarFileSample pandas = BarFileSample.pandas();
    Path thin = directory.resolve("thin.csv");
    Files.writeString(thin, pandas.text().replaceAll("(?m),[0-9.E]+$", ",3"));
    assertThat(flat(init(thin, "--out", config.toString(), "--force")))
        .contains("Account: 10 USD (assumed), ", "; 10,000 is too much (--account)");
    assertThat(flat(init(thin, "--out", config.toString(), "--force", "--account", "5000")))
        .contains("Account: 5,000 USD (assumed), ", "too much for one bar");
    assertThat(settings(config).execution().initialCash()).isEqualTo(5000);
  }

  @Test
  void shouldTakeAnswers() throws IOException {
    Path file = write(BarFileSample.pandas());
    Path config = directory.resolve("a.yaml");
    Invocation made =
        init(file, "--out", config.toString(), "--times", "close", "--zone", "Europe/Berlin");
    assertThat(made.out()).contains("Times:   closes (--times); Europe/Berlin (--zone)");
    long hour = 3_600_000;
    assertThat(read(config).get(0).time(0))
        .isEqualTo(BarFileSample.pandas().bars().get(0).from() - hour);

    Path yahoo = write(BarFileSample.yahoo());
    init(yahoo, "--out", config.toString(), "--force", "--prices", "raw");
    assertThat(read(config).get(0).close(0)).isEqualTo(BarFileSample.days().get(0).close());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "day or month | 01/02/2024 | 1 | day or month may come first in 01/02/2024; answer with"
            + " --dates day-first or --dates month-first",
        "thousands | 2024-01-02 | 1,234 | the comma in 1,234 may be a decimal sign or separate"
            + " thousands; answer with --decimal comma",
      })
  void shouldAskAndWriteNothing(String what, String time, String price, String question)
      throws IOException {
    Path file = directory.resolve("bars.csv");
    String row = (time + ";P;P;P;P;10\n").replace("P", price);
    Files.writeString(file, "date;open;high;low;close;volume\n" + row.repeat(12));
    Invocation asked = init(file, "--out", directory.resolve("a.yaml").toString());
    Refusal.require(asked, ExitCode.USAGE, question);
    assertThat(directory.resolve("a.yaml")).doesNotExist();
  }

  @Test
  void shouldReadDatesInTheOrderOfTheAnswer() throws IOException {
    StringBuilder text = new StringBuilder("date,open,high,low,close,volume\n");
    for (int i = 0; i < 288; i++) { // days 1 to 12 of each month of two years
      text.append(
          "%02d/%02d/%d,10,11,9,10.%d,100\n"
              .formatted(1 + i / 12 % 12, 1 + i % 12, 2022 + i / 144, i % 7));
    }
    Path file = Files.writeString(directory.resolve("bars.csv"), text);
    Path config = directory.resolve("a.yaml");
    assertThat(init(file, "--out", config.toString()).code()).isEqualTo(ExitCode.USAGE);
    assertThat(config).doesNotExist();
    Invocation made = init(file, "--out", config.toString(), "--dates", "month-first");
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.OK);
    assertThat(settings(config).data().layout().timeFormat()).isEqualTo("%m/%d/%Y");
  }

  @Test
  void shouldAskAboutAMoveThatLooksLikeASplit() throws IOException {
    StringBuilder text = new StringBuilder("Date,Open,High,Low,Close,Volume\n");
    List<BarFileSample.Row> rows = BarFileSample.days();
    for (int i = 0; i < rows.size(); i++) {
      BarFileSample.Row row = rows.get(i).times(i < 200 ? 1 : 0.25);
      text.append("%s,%s,%s\n".formatted(row.day("yyyy-MM-dd"), row.prices(","), row.volume()));
    }
    Path file = Files.writeString(directory.resolve("bars.csv"), text);
    Path config = directory.resolve("a.yaml");
    Refusal.require(
        init(file, "--out", config.toString()),
        ExitCode.USAGE,
        "as in a split of the shares; adjust the file, or answer with --prices raw");
    assertThat(config).doesNotExist();
    assertThat(init(file, "--out", config.toString(), "--prices", "raw").code()).isZero();
  }

  @Test
  void shouldRefuseWhatCannotBeTrainedOn() throws IOException {
    Path config = directory.resolve("a.yaml");
    Path one = write(BarFileSample.stooq());
    Path copy = Files.copy(one, directory.resolve("copy.csv"));
    Refusal.require(
        Invocation.of("init", one.toString(), copy.toString(), "--out", config.toString()),
        ExitCode.DATA,
        "have the same bars; name only one of them");
    Path other = write(BarFileSample.yahoo());
    Refusal.require(
        Invocation.of("init", one.toString(), other.toString(), "--out", config.toString()),
        ExitCode.DATA,
        "are written differently");
    Path text = Files.writeString(directory.resolve("text.csv"), "no,bars,are,in,here\n");
    Refusal.require(
        init(text, "--out", config.toString()),
        ExitCode.DATA,
        "is not a table of bars: no line has a time and four prices");
    Refusal.require(
        init(directory.resolve("none.csv"), "--out", config.toString()),
        ExitCode.DATA,
        "none.csv does not exist; check the name");
    Refusal.require(
        init(directory, "--out", config.toString()),
        ExitCode.DATA,
        directory + " is a directory; name its files, such as \"" + directory + "/*.csv\"");
    Refusal.require(
        init(one, "--out", config.toString(), "--prices", "adjusted"),
        ExitCode.DATA,
        "has no adjusted close");
    Refusal.require(
        init(one, "--out", config.toString(), "--times", "noon"),
        ExitCode.USAGE,
        "--times must be open or close, was \"noon\"");
    Refusal.require(
        init(one, "--out", config.toString(), "--zone", "Mars"),
        ExitCode.USAGE,
        "--zone must be a time zone such as UTC or America/New_York, was \"Mars\"");
    assertThat(config).doesNotExist();
  }

  /** The lines that are half written, or out of order, are not its fault. */
  @Test
  void shouldSayInOneLineThatAFileChangesWhileItIsRead() throws Exception {
    StringBuilder text = new StringBuilder("ts,open,high,low,close,volume\n");
    for (int i = 0; i < 50_000; i++) {
      text.append(1_704_070_800 + 60 * i).append(",1,1,1,1,1\n");
    }
    Path file = Files.writeString(directory.resolve("bars.csv"), text);
    Path config = directory.resolve("a.yaml");
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!done.get()) {
                try {
                  Files.writeString(file, "1704070800,1,1,1,1,1\n", StandardOpenOption.APPEND);
                } catch (IOException failure) {
                  throw new UncheckedIOException(failure);
                }
              }
            });
    writer.start();
    try {
      Invocation refused = init(file, "--out", config.toString());
      assertThat(refused.code()).isEqualTo(ExitCode.DATA);
      assertThat(refused.err()).isEqualTo("quantail: %s %s%n".formatted(file, FileStamp.CHANGED));
    } finally {
      done.set(true);
      writer.join();
    }
    assertThat(config).doesNotExist();
  }

  @Test
  void shouldSumUpPricesOfZeroInOneLine() throws IOException {
    Path file = directory.resolve("zero.csv");
    Files.writeString(
        file, BarFileSample.stooq().text().replaceAll(",(1[0-9]{2}|[0-9]{2})\\.1", ",0.0"));
    Path config = directory.resolve("a.yaml");
    Invocation refused = init(file, "--out", config.toString());
    assertThat(refused.code()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err()).contains("must be a positive price; and ", "more such values");
    assertThat(config).doesNotExist();
  }

  @Test
  void shouldNotOverwriteUnlessForced() throws IOException {
    Path file = write(BarFileSample.stooq());
    Path config = Files.writeString(directory.resolve("mine.yaml"), "seed: 1\n");
    Refusal.require(
        init(file, "--out", config.toString()),
        ExitCode.USAGE,
        "mine.yaml exists; choose another name with --out, or replace it with --force");
    assertThat(config).hasContent("seed: 1");
    assertThat(init(file, "--out", config.toString(), "--force").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d-MMM-yyyy | %d-%b-%Y",
        "dd MMMM yyyy | %d %B %Y",
        "MMM d yyyy | %b %d %Y",
        "MMM dd, yyyy | %b %d, %Y",
      })
  void shouldReadNamesOfMonths(String written, String format) throws IOException {
    StringBuilder text = new StringBuilder("Date;Open;High;Low;Close;Volume\n");
    for (BarFileSample.Row row : BarFileSample.days()) {
      String day =
          DateTimeFormatter.ofPattern(written, Locale.ENGLISH)
              .withZone(ZoneOffset.UTC)
              .format(Instant.ofEpochMilli(row.from()));
      text.append("%s;%s;%s\n".formatted(day, row.prices(";"), row.volume()));
    }
    Path file = Files.writeString(directory.resolve("named.csv"), text);
    Path config = directory.resolve("a.yaml");
    Invocation made = init(file, "--out", config.toString());
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.OK);
    assertThat(settings(config).data().layout().timeFormat()).isEqualTo(format);
    assertSame(read(config).get(0), BarFileSample.days());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldTurnFilesAroundThatAreNewestFirst(BarFileSample sample) throws IOException {
    List<String> lines = new ArrayList<>(new String(sample.bytes(), UTF_8).lines().toList());
    boolean header = lines.size() > sample.bars().size();
    List<String> rows = lines.subList(header ? 1 : 0, lines.size());
    Collections.reverse(rows);
    Path file = directory.resolve(sample.file());
    Files.writeString(file, String.join("\n", lines) + "\n");
    Path config = directory.resolve("a.yaml");
    Invocation made = init(file, "--out", config.toString());
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.OK);
    assertThat(flat(made)).contains("newest first, turned around");
    assertSame(read(config).get(0), sample.bars());
  }

  @Test
  void shouldRefuseJsonInOneLineThatHelps() throws IOException {
    Path file = directory.resolve("ETH_BTC-5m.json");
    Files.writeString(file, "[[1577836800000,0.0181,0.0182,0.0180,0.0181,120.5]]");
    Path config = directory.resolve("a.yaml");
    Refusal.require(
        init(file, "--out", config.toString()),
        ExitCode.DATA,
        "is JSON, which is not read",
        "freqtrade convert-data --format-from json --format-to parquet");
    assertThat(config).doesNotExist();
  }

  @Test
  void shouldRefusePricesOfZeroAndWriteNothing() throws IOException {
    BarFileSample sample = BarFileSample.stooq();
    Path file = directory.resolve(sample.file());
    List<String> lines = new ArrayList<>(sample.text().lines().toList());
    lines.set(120, lines.get(120).replaceFirst(",[^,]+,", ",0,"));
    Files.write(file, lines);
    Path config = directory.resolve("a.yaml");
    Invocation refused = init(file, "--out", config.toString());
    assertThat(refused.code()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err()).contains("line 121", "must be a positive price");
    assertThat(config).doesNotExist();
  }

  @Test
  void shouldValidateThroughTheConfiguration() throws IOException {
    Path file = write(BarFileSample.metaTrader());
    Path config = directory.resolve("a.yaml");
    init(file, "--out", config.toString());
    Invocation valid = Invocation.of("data", "validate", "--config", config.toString());
    assertThat(valid.code()).as(valid.out()).isEqualTo(ExitCode.OK);
    assertThat(valid.out()).contains("400 bars of 1h, 2024-01-01T01:00:00Z");
    assertThat(unfolded(Invocation.of("data", "validate", file.toString()).out()))
        .contains(
            "column <TIME>: \"00:00:00\" must be a time", "quantail init recognises other forms");
  }

  @Test
  void shouldGroupGapsWhenItValidates() throws IOException {
    Path file = write(BarFileSample.stooq());
    Invocation invalid = Invocation.of("data", "validate", file.toString());
    assertThat(invalid.code()).isEqualTo(ExitCode.DATA);
    assertThat(unfolded(invalid.out()).lines().filter(line -> line.startsWith("  error:")))
        .containsExactly(
            "  error: "
                + file
                + ": 61 gaps, all weekends and holidays: add market.data.gaps: allow to the"
                + " configuration, or use --allow-gaps");
    assertThat(
            Invocation.of("data", "validate", "--all", file.toString())
                .out()
                .lines()
                .filter(line -> line.startsWith("  error:")))
        .hasSize(61);
  }

  /** Text with every problem on one line. */
  private static String unfolded(String text) {
    return text.replaceAll("\n {4,}", " ");
  }

  private Path write(BarFileSample sample) throws IOException {
    return Files.write(directory.resolve(sample.file()), sample.bytes());
  }

  private static Invocation init(Path file, String... more) {
    List<String> arguments = new ArrayList<>(List.of("init", file.toString()));
    arguments.addAll(List.of(more));
    return Invocation.of(arguments.toArray(String[]::new));
  }

  /** Standard output without line breaks, which depend on the length of file names. */
  private static String flat(Invocation invocation) {
    return invocation.out().replaceAll("\\s+", " ");
  }

  private static MarketConfig settings(Path config) {
    return MarketProvider.settings(YamlConfig.load(config, List.of()));
  }

  private static List<Bars> read(Path config) {
    return Market.read(settings(config).data());
  }
}
