package io.quantail.app.command;

import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.InitConfig;
import io.quantail.app.console.InitText;
import io.quantail.app.console.Messages;
import io.quantail.app.console.WrappedText;
import io.quantail.io.AtomicFiles;
import io.quantail.market.data.BarFileLayout.Decimal;
import io.quantail.market.data.BarFileLayout.Prices;
import io.quantail.market.data.DemoData;
import io.quantail.market.layout.BarFiles;
import io.quantail.market.layout.LayoutAnswers;
import io.quantail.market.layout.LayoutAnswers.Dates;
import io.quantail.market.layout.LayoutAnswers.Times;
import io.quantail.run.settings.YamlConfig;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a configuration for files of bars. */
@Command(
    name = "init",
    description = {
      "Writes a commented configuration for files of bars.",
      "Recognises how they are written: Yahoo, Stooq, Binance, Kraken, MetaTrader, "
          + "freqtrade, pandas and similar. What it assumes is printed, and options change "
          + "it."
    },
    mixinStandardHelpOptions = true)
public final class InitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "BARS",
      description = "CSV (also gzipped), Parquet or a quoted glob; one per symbol.")
  private List<String> files;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Configuration to write; default: named after the first file.")
  private Path out;

  @Option(names = "--force", description = "Replace a configuration that exists.")
  private boolean force;

  @Option(
      names = "--times",
      paramLabel = "open|close",
      description = "Times are opens or closes of bars.")
  private String times;

  @Option(
      names = "--dates",
      paramLabel = "day-first|month-first",
      description = "Order of dates such as 02/03/2024.")
  private String dates;

  @Option(
      names = "--prices",
      paramLabel = "adjusted|raw",
      description = "Scale prices to the adjusted close, or use them as they are.")
  private String prices;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Zone of times that do not state theirs, such as America/New_York.")
  private String zone;

  @Option(
      names = "--decimal",
      paramLabel = "comma|point",
      description = "Decimal sign of the prices.")
  private String decimal;

  @Option(
      names = "--account",
      paramLabel = "MONEY",
      description = "Money at the start, in the currency of the prices.")
  private Double account;

  @Override
  public Integer call() {
    files.stream().filter(DemoData::isDemo).findFirst().ifPresent(InitCommand::refuseDemo);
    if (account != null && !(account > 0 && account < Double.POSITIVE_INFINITY)) {
      throw new UsageException("--account must be a positive amount of money, was " + account);
    }
    Path target = out == null ? Path.of(name(files.get(0)) + ".yaml") : out;
    if (Files.exists(target) && !force) {
      throw new UsageException(
          target + " exists; choose another name with --out, or replace it with --force");
    }
    BarFiles found = BarFiles.read(files, answers(), amount());
    if (!found.questions().isEmpty()) {
      found.questions().forEach(Messages.of(spec)::error);
      return ExitCode.USAGE;
    }
    String text = InitConfig.of(found.proposed());
    YamlConfig.parse(text, target.toString(), List.of());
    AtomicFiles.write(target, text);
    PrintWriter output = spec.commandLine().getOut();
    output.print(InitText.of(found));
    output.print(
        WrappedText.of("Wrote " + target + "; train with: quantail train " + target, "", "  "));
    output.flush();
    return ExitCode.OK;
  }

  private static void refuseDemo(String name) {
    throw new UsageException(
        name + " needs no configuration of its own; train with: quantail train");
  }

  /** The name of a file without directory and extensions, or of the directory of a glob. */
  private static String name(String file) {
    String name = file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\..*$", "");
    String plain = name.replaceAll("[^A-Za-z0-9_-]+", "");
    return plain.isEmpty() ? "bars" : plain;
  }

  private OptionalDouble amount() {
    return account == null ? OptionalDouble.empty() : OptionalDouble.of(account);
  }

  private LayoutAnswers answers() {
    return new LayoutAnswers(
        choice("--times", times, Times.class),
        choice("--dates", dates, Dates.class),
        choice("--prices", prices, Prices.class),
        zone(),
        choice("--decimal", decimal, Decimal.class));
  }

  private @Nullable ZoneId zone() {
    try {
      return zone == null ? null : ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      throw new UsageException(
          "--zone must be a time zone such as UTC or America/New_York, was \"" + zone + "\"");
    }
  }

  private static <E extends Enum<E>> @Nullable E choice(
      String option, @Nullable String given, Class<E> type) {
    if (given == null) {
      return null;
    }
    E[] values = type.getEnumConstants();
    for (E value : values) {
      if (written(value).equals(given.toLowerCase(Locale.ROOT))) {
        return value;
      }
    }
    throw new UsageException(
        "%s must be %s or %s, was \"%s\""
            .formatted(option, written(values[0]), written(values[1]), given));
  }

  private static String written(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
