package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.BarsSummary;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsCsvWriter;
import io.quantail.market.synthetic.MarketModel;
import io.quantail.market.synthetic.SyntheticMarketGenerator;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Generates bars from a known model. */
@Command(
    name = "generate",
    description = {
      "Generates bars from a known model.",
      "The same model and seed give the same bars."
    },
    mixinStandardHelpOptions = true)
final class DataGenerateCommand implements Callable<Integer> {
  private static final int MOST_BARS = 10_000_000;

  /** Models by their names on the command line; parameters are per bar. */
  enum Model {
    TREND(new MarketModel.Trend(0.0005, 0.01)),
    NOISE(new MarketModel.Noise(0.01)),
    MEAN_REVERSION(new MarketModel.MeanReversion(0.9, 0.01)),
    REGIME_SWITCH(new MarketModel.RegimeSwitch(0.002, 0.01, 0.02)),
    JUMPS(new MarketModel.Jumps(0.0003, 0.008, 0.01, 0.05)),
    GARCH(new MarketModel.Garch(2e-6, 0.08, 0.90, 5));

    private final MarketModel market;

    Model(MarketModel market) {
      this.market = market;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "MODEL", description = "Model: ${COMPLETION-CANDIDATES}.")
  private Model model;

  @Parameters(index = "1", paramLabel = "OUT", description = "New file, .csv or .csv.gz.")
  private Path output;

  @Option(names = "--seed", paramLabel = "S", description = "Seed; default: 1.")
  private long seed = 1;

  @Option(names = "--bars", paramLabel = "N", description = "Number of bars; default: 10000.")
  private int bars = 10_000;

  @Option(
      names = "--bar-length",
      paramLabel = "LENGTH",
      description = "Length of a bar; default: 1h.")
  private String barLength = "1h";

  @Option(
      names = "--oracle",
      description =
          "Add the column x_oracle, the return of the next bar; look-ahead on purpose, for tests.")
  private boolean oracle;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    UsageException.requireAbsent(output);
    if (bars < 3 || bars > MOST_BARS) {
      throw new UsageException(
          String.format(Locale.ROOT, "--bars must be from 3 to %d, was %d", MOST_BARS, bars));
    }
    long millis = BarFileOptions.millis(barLength);
    if (millis == 0) {
      throw new UsageException("--bar-length must be a length such as 1h, was auto");
    }
    Bars made = SyntheticMarketGenerator.generate(model.market, bars, millis, seed, oracle);
    BarsCsvWriter.write(made, output);
    BarsSummary summary = BarsSummary.of(made);
    PrintWriter printer = spec.commandLine().getOut();
    printer.print(json ? Json.line(summary) + "\n" : summary.text(output + ": "));
    printer.flush();
    return ExitCode.OK;
  }
}
