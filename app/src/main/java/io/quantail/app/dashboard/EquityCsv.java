package io.quantail.app.dashboard;

import io.quantail.market.evaluation.EquityRow;
import io.quantail.run.RunLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The backtest of a market run, bar by bar, from {@code equity.csv} or {@code equity-PART.csv}.
 *
 * @param parts of the data that were backtested
 * @param part the one in {@code accounts}
 * @param accounts one per symbol and policy
 */
record EquityCsv(List<String> parts, String part, List<Account> accounts) {
  private static final Pattern FILE = Pattern.compile("equity(?:-([a-z]{1,20}))?\\.csv");
  private static final String TEST = "test"; // the file without a suffix
  private static final int MOST_LINES = 4_000_000;
  private static final int MOST_ACCOUNTS = 64;

  /**
   * One account over time.
   *
   * @param symbol of the instrument
   * @param policy name of the policy
   * @param equity relative to its first value
   * @param drawdown loss since the highest equity so far, as a negative fraction
   * @param exposure fraction of the equity that is invested
   */
  record Account(
      String symbol,
      String policy,
      ChartSeries equity,
      ChartSeries drawdown,
      ChartSeries exposure) {}

  static List<String> parts(RunFiles folder) {
    List<String> parts = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder.path(), RunLayout.equity("*"))) {
      for (Path file : files) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        if (name.matches() && folder.stamp(file.getFileName().toString()).isPresent()) {
          parts.add(name.group(1) == null ? TEST : name.group(1));
        }
      }
    } catch (IOException gone) {
      return List.of();
    }
    Collections.sort(parts);
    return parts;
  }

  /** The backtest of the requested part of the data if there is one, else of another part. */
  static EquityCsv read(RunFiles folder, String wanted, int points) throws IOException {
    List<String> parts = parts(folder);
    if (parts.isEmpty()) {
      return new EquityCsv(parts, "", List.of());
    }
    String fallback = parts.contains(TEST) ? TEST : parts.get(0);
    String part = parts.contains(wanted) ? wanted : fallback;
    String file = RunLayout.equity(part.equals(TEST) ? "" : "-" + part);
    Map<List<String>, Bars> bars = new LinkedHashMap<>();
    try (BufferedReader reader =
        new BufferedReader(Channels.newReader(folder.open(file), StandardCharsets.UTF_8))) {
      reader.readLine();
      String line;
      for (int i = 0; i < MOST_LINES && (line = reader.readLine()) != null; i++) {
        take(line, bars);
      }
    }
    List<Account> accounts = new ArrayList<>();
    bars.forEach((key, value) -> accounts.add(value.account(key.get(0), key.get(1), points)));
    return new EquityCsv(parts, part, accounts);
  }

  /** Adds a line; damaged ones are skipped, as those of metrics are. */
  private static void take(String line, Map<List<String>, Bars> bars) {
    EquityRow.parse(line)
        .ifPresent(
            row -> {
              List<String> key = List.of(row.symbol(), row.policy());
              if (bars.size() < MOST_ACCOUNTS || bars.containsKey(key)) {
                bars.computeIfAbsent(key, any -> new Bars())
                    .add(row.time(), row.equity(), row.exposure());
              }
            });
  }

  /** Columns of one account, bar by bar. */
  private static final class Bars {
    private long[] times = new long[256];
    private double[] equity = new double[256];
    private double[] exposure = new double[256];
    private int size;

    void add(long time, double worth, double invested) {
      if (!Double.isFinite(worth) || !Double.isFinite(invested)) {
        return;
      }
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        equity = Arrays.copyOf(equity, 2 * size);
        exposure = Arrays.copyOf(exposure, 2 * size);
      }
      times[size] = time;
      equity[size] = worth;
      exposure[size++] = invested;
    }

    Account account(String symbol, String policy, int points) {
      double[] drawdown = new double[size];
      double peak = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < size; i++) {
        peak = Math.max(peak, equity[i]);
        drawdown[i] = peak > 0 ? equity[i] / peak - 1 : 0;
      }
      double first = size > 0 && equity[0] != 0 ? equity[0] : 1;
      return new Account(
          symbol,
          policy,
          ChartSeries.of(size, i -> times[i], i -> equity[i] / first, points),
          ChartSeries.of(size, i -> times[i], i -> drawdown[i], points),
          ChartSeries.of(size, i -> times[i], i -> exposure[i], points));
    }
  }
}
