package io.quantail.app.command;

import io.quantail.app.common.UsageException;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DemoData;
import picocli.CommandLine.Option;

/** Options that describe a file of bars, the same for all commands that read one. */
final class BarFileOptions {
  @Option(names = "--symbol", paramLabel = "NAME", description = "Symbol; default: from the file.")
  private String symbol = "";

  @Option(
      names = "--bar-length",
      paramLabel = "LENGTH",
      description = "Length of a bar, such as 30s, 5m, 4h, 1d; default: the median interval.")
  private String barLength = BarLength.AUTO;

  @Option(names = "--ts-is-open", description = "Timestamps are opens of bars; default: closes.")
  private boolean timeIsOpen;

  @Option(
      names = "--allow-gaps",
      description = "Accept missing bars, for example outside trading hours.")
  private boolean gapsAllowed;

  BarsReadReport read(String file) {
    BarsOptions options = new BarsOptions(symbol, millis(barLength), timeIsOpen, gapsAllowed);
    return DemoData.isDemo(file) ? DemoData.read(file, options) : BarsReader.read(file, options);
  }

  /** Milliseconds of a bar length as the user writes it; 0 to derive it from the bars. */
  static long millis(String length) {
    if (!BarLength.isValid(length)) {
      throw new UsageException(
          "--bar-length must be a number with s, m, h or d, such as 5m, was \"" + length + "\"");
    }
    return BarLength.millis(length);
  }
}
