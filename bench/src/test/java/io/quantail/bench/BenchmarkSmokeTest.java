package io.quantail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark still runs; how fast is not asked here. */
class BenchmarkSmokeTest {
  @Test
  void shouldRunEveryBenchmarkForAMoment() throws RunnerException {
    Set<String> ran =
        new Runner(
                new OptionsBuilder()
                    .include("io.quantail.bench.*")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(1))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run().stream()
                .map(RunResult::getParams)
                .map(parameters -> parameters.getBenchmark().replaceAll(".*bench\\.|\\..*", ""))
                .collect(Collectors.toSet());
    assertThat(ran)
        .contains(
            "InferenceBenchmark",
            "LstmBenchmark",
            "ProductBenchmark",
            "LossBenchmark",
            "OptimizerBenchmark",
            "EnvironmentBenchmark",
            "GaeBenchmark",
            "SnapshotBenchmark");
  }
}
