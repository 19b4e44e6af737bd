package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.bench.BenchmarkResult;
import io.quantail.app.bench.BenchmarkWorkload;
import io.quantail.app.bench.ObservabilityCost;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.TextTable;
import io.quantail.config.RunConfig;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the speed of whole trainings. */
@Command(
    name = "bench",
    description = {
      "Measures the speed of whole trainings.",
      "Also the speed of their matrix products relative to the kernel's peak."
    },
    mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "1..*",
      description =
          "Workload: cartpole-lstm, trading-64, trading-128, wide, deep, memoryless-64 or"
              + " memoryless-128.")
  private List<String> workloads = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Worker threads, one measurement each; default: all cores.")
  private List<Integer> threads = List.of(Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "Measured time; default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "8",
      description = "Warm-up of the compiler, in processor time; default: ${DEFAULT-VALUE}.")
  private double warmup;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Override one setting; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--overhead",
      description =
          "Measure the cost of metrics, health rules, files and dashboard instead: blocks of"
              + " updates with and without them alternate.")
  private boolean overhead;

  @Option(names = "--json", description = "Print one line of JSON for each measurement.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    List<BenchmarkWorkload> chosen = workloads.stream().map(BenchCommand::workload).toList();
    TextTable table = overhead ? costs() : speeds();
    Messages messages = Messages.of(spec);
    for (BenchmarkWorkload workload : chosen) {
      for (int count : threads) {
        RunConfig config = workload.config(count, settings);
        messages.activity("measuring %s …".formatted(workload.name()));
        if (overhead) {
          add(table, ObservabilityCost.of(workload, config, warmup, seconds));
        } else {
          add(table, BenchmarkResult.of(workload, config, warmup, seconds));
        }
      }
    }
    messages.endActivity();
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? "" : table.toString());
    out.flush();
    return ExitCode.OK;
  }

  private static BenchmarkWorkload workload(String name) {
    try {
      return BenchmarkWorkload.named(name);
    } catch (IllegalArgumentException unknown) {
      throw new UsageException(unknown.getMessage());
    }
  }

  private static TextTable costs() {
    return new TextTable()
        .left("workload")
        .right("threads")
        .right("pairs")
        .right("overhead")
        .right("quartiles")
        .right("metrics")
        .right("rules, files");
  }

  private void add(TextTable table, ObservabilityCost cost) throws JsonProcessingException {
    if (json) {
      print(cost);
      return;
    }
    table.row(
        cost.workload(),
        String.valueOf(cost.threads()),
        String.valueOf(cost.pairs()),
        format("%.1f %%", 100 * cost.overhead()),
        format("%.1f to %.1f %%", 100 * cost.lowest(), 100 * cost.highest()),
        format("%.1f %%", 100 * cost.measuring()),
        format("%.1f %%", 100 * cost.recording()));
  }

  private static TextTable speeds() {
    return new TextTable()
        .left("workload")
        .right("threads")
        .right("steps/s")
        .right("per CPU s")
        .right("update GFLOPS")
        .right("kernel of a core")
        .right("peak");
  }

  private void add(TextTable table, BenchmarkResult measured) throws JsonProcessingException {
    if (json) {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("workload", measured.workload());
      values.put("threads", measured.threads());
      values.put("stepsPerSecond", measured.stepsPerSecond());
      values.put("updateGflops", measured.updateGflops());
      values.put("tileGflops", measured.tileGflops());
      values.put("peakShare", measured.peakShare());
      values.put("seconds", measured.seconds());
      values.put("cpuSeconds", measured.cpuSeconds());
      values.put("stepsPerCpuSecond", measured.stepsPerCpuSecond());
      print(values);
      return;
    }
    table.row(
        measured.workload(),
        String.valueOf(measured.threads()),
        format("%.0f", measured.stepsPerSecond()),
        format("%.0f", measured.stepsPerCpuSecond()),
        format("%.1f", measured.updateGflops()),
        format("%.1f", measured.tileGflops()),
        format("%.0f %%", 100 * measured.peakShare()));
  }

  private void print(Object line) throws JsonProcessingException {
    spec.commandLine().getOut().println(Json.MAPPER.writeValueAsString(line));
    spec.commandLine().getOut().flush();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
