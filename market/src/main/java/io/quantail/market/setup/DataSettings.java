package io.quantail.market.setup;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.BarsOptions;
import java.util.List;

/**
 * Source of the bars; section {@code market.data}.
 *
 * @param files one entry per symbol: a CSV or Parquet file, a glob, or {@code demo:btc}, {@code
 *     demo:apple}; default {@code [demo:btc]}
 * @param symbols names of the symbols, one per entry of {@code files}; default empty: from the
 *     files
 * @param barLength duration of a bar, such as {@code 5m}, {@code 4h}, {@code 1d}; default {@code
 *     auto}: the median distance between times of the file
 * @param timeIsOpen whether times are those of opens; default false: of closes
 * @param gaps whether bars may be missing in files; default {@code refuse}
 */
public record DataSettings(
    List<String> files, List<String> symbols, String barLength, boolean timeIsOpen, Gaps gaps) {

  /** Treatment of missing bars. Missing bars are never filled in. */
  public enum Gaps {
    REFUSE,
    ALLOW
  }

  public DataSettings {
    if (files.isEmpty()) {
      throw new ConfigException("market.data.files must name at least one file of bars");
    }
    for (int i = 0; i < files.size(); i++) {
      Check.notBlank("market.data.files[" + i + "]", files.get(i));
    }
    if (!symbols.isEmpty() && symbols.size() != files.size()) {
      throw new ConfigException(
          "market.data.symbols must be empty or name each of the %d files, named %d"
              .formatted(files.size(), symbols.size()));
    }
    if (!BarLength.isValid(barLength)) {
      throw new ConfigException(
          "market.data.barLength must be auto or a number with s, m, h or d, such as 5m, was \"%s\""
              .formatted(barLength));
    }
  }

  /** The default settings. */
  public static DataSettings defaults() {
    return new DataSettings(List.of("demo:btc"), List.of(), BarLength.AUTO, false, Gaps.REFUSE);
  }

  /** Options for reading one entry of {@code files}. */
  public BarsOptions options(int index) {
    return new BarsOptions(
        symbols.isEmpty() ? "" : symbols.get(index),
        BarLength.millis(barLength),
        timeIsOpen,
        gaps == Gaps.ALLOW);
  }
}
