package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.BarsSummary;
import io.quantail.app.console.Messages;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsCsvWriter;
import io.quantail.market.data.BarsReadReport;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Converts bars to canonical CSV, which is read without options. */
@Command(
    name = "import",
    description = {
      "Writes bars of any supported format as canonical CSV.",
      "ISO-8601 times of closes and standard column names, which are read without " + "options."
    },
    mixinStandardHelpOptions = true)
final class DataImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "demo:btc, demo:AAPL, CSV (also gzipped), Parquet or a quoted glob.")
  private String input;

  @Parameters(index = "1", paramLabel = "OUT", description = "New file, .csv or .csv.gz.")
  private Path output;

  @Mixin private BarFileOptions arguments;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    UsageException.requireAbsent(output);
    BarsReadReport report = arguments.read(input);
    Bars bars = report.orThrow();
    report.warnings().forEach(warning -> Messages.of(spec).warning(warning.toString()));
    BarsCsvWriter.write(bars, output);
    BarsSummary summary = BarsSummary.of(bars);
    PrintWriter printer = spec.commandLine().getOut();
    printer.print(json ? Json.line(summary) + "\n" : summary.text(output + ": "));
    printer.flush();
    return ExitCode.OK;
  }
}
