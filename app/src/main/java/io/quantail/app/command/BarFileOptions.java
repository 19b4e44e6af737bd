package io.quantail.app.command;

import io.quantail.app.common.UsageException;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.BarsReader;
import java.nio.file.Path;
import java.util.List;
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

  @Option(
      names = "--config",
      paramLabel = "CONFIG",
      description = "Read the bars as this configuration does (its section market.data).")
  private Path config;

  /** The files of a command that names none: those of the configuration. */
  List<String> orConfigured(List<String> files) {
    if (files != null) {
      return files;
    }
    if (config == null) {
      throw new UsageException("FILE is missing; name files, or a configuration with --config");
    }
    return settings().files();
  }

  BarsReadReport read(String file) {
    if (config == null) {
      return BarsReader.readAny(
          file, new BarsOptions(symbol, millis(barLength), timeIsOpen, gapsAllowed));
    }
    if (!barLength.equals(BarLength.AUTO) || timeIsOpen) {
      throw new UsageException(
          "--bar-length and --ts-is-open are settings of CONFIG; omit them, or omit --config");
    }
    BarsOptions options = settings().withFiles(List.of(file), gapsAllowed).options(0);
    return BarsReader.readAny(
        file,
        new BarsOptions(
            symbol,
            options.barMillis(),
            options.timeIsOpen(),
            options.gapsAllowed(),
            options.layout()));
  }

  private MarketConfig.DataSettings settings() {
    return MarketProvider.settings(ConfigSource.read(config, List.of()).config()).data();
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
