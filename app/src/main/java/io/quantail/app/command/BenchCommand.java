package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.bench.BenchmarkResult;
import io.quantail.app.bench.BenchmarkWorkload;
import io.quantail.app.bench.ObservabilityCost;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
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
    description =
        "Measures the speed of whole trainings, and of their matrix products relative to the"
            + " kernel's peak.",
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
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      out.println(
          overhead
              ? "workload        threads  pairs  overhead      quartiles         metrics  rules,"
                  + " files"
              : "workload        threads   steps/s   per CPU s   update GFLOPS   kernel of a core  "
                  + " peak");
    }
    for (BenchmarkWorkload workload : chosen) {
      for (int count : threads) {
        RunConfig config = workload.config(count, settings);
        if (overhead) {
          print(out, ObservabilityCost.of(workload, config, warmup, seconds));
        } else {
          print(out, BenchmarkResult.of(workload, config, warmup, seconds));
        }
      }
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, ObservabilityCost cost) throws JsonProcessingException {
    if (json) {
      out.println(Json.MAPPER.writeValueAsString(cost));
    } else {
      out.printf(
          Locale.ROOT,
          "%-15s %7d %6d %8.1f %% %7.1f to %4.1f %% %11.1f %% %10.1f %%%n",
          cost.workload(),
          cost.threads(),
          cost.pairs(),
          100 * cost.overhead(),
          100 * cost.lowest(),
          100 * cost.highest(),
          100 * cost.measuring(),
          100 * cost.recording());
    }
    out.flush();
  }

  private static BenchmarkWorkload workload(String name) {
    try {
      return BenchmarkWorkload.named(name);
    } catch (IllegalArgumentException unknown) {
      throw new UsageException(unknown.getMessage());
    }
  }

  private void print(PrintWriter out, BenchmarkResult measured) throws JsonProcessingException {
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
      out.println(Json.MAPPER.writeValueAsString(values));
    } else {
      out.printf(
          Locale.ROOT,
          "%-15s %7d %9.0f %11.0f %15.1f %17.1f %6.0f %%%n",
          measured.workload(),
          measured.threads(),
          measured.stepsPerSecond(),
          measured.stepsPerCpuSecond(),
          measured.updateGflops(),
          measured.tileGflops(),
          100 * measured.peakShare());
    }
    out.flush();
  }
}
