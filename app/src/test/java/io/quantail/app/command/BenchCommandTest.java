package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.Invocation;
import io.quantail.app.bench.BenchmarkMarket;
import io.quantail.app.bench.BenchmarkWorkload;
import io.quantail.app.common.ExitCode;
import io.quantail.env.check.EnvironmentChecker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchCommandTest {
  /** Shortest possible measurement. */
  private static Invocation shortBench(String... more) {
    List<String> arguments = new ArrayList<>(List.of("bench", "cartpole-lstm", "--json"));
    arguments.addAll(List.of("--threads", "1", "--warmup", "0", "--seconds", "0.01"));
    arguments.addAll(List.of("--set", "network.hidden=8", "--set", "ppo.epochs=1"));
    arguments.addAll(List.of(more));
    return Invocation.of(arguments.toArray(String[]::new));
  }

  @Test
  void shouldMeasureATraining() {
    Invocation invocation = shortBench();
    assertThat(invocation.code()).isEqualTo(ExitCode.OK);
    JsonNode measured = invocation.json();
    assertThat(measured.get("workload").textValue()).isEqualTo("cartpole-lstm");
    for (String field :
        List.of("stepsPerSecond", "updateGflops", "tileGflops", "peakShare", "seconds")) {
      assertThat(measured.get(field).doubleValue()).as(field).isPositive();
    }
  }

  /** Parts of the cost are times, so only their signs and order are checked. */
  @Test
  void shouldMeasureTheCostOfObservability() {
    Invocation invocation = shortBench("--overhead");
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    JsonNode measured = invocation.json();
    assertThat(measured.get("pairs").asInt()).isPositive();
    assertThat(measured.get("measuring").doubleValue()).isPositive();
    assertThat(measured.get("recording").doubleValue()).isPositive();
    assertThat(measured.get("lowest").doubleValue())
        .isLessThanOrEqualTo(measured.get("highest").doubleValue());
  }

  @Test
  void shouldListKnownWorkloads() {
    Invocation invocation = Invocation.of("bench", "cartpole");
    assertThat(invocation.code()).isEqualTo(ExitCode.USAGE);
    assertThat(invocation.err())
        .contains("unknown workload cartpole; known workloads: cartpole-lstm, trading-64");
  }

  @ParameterizedTest
  @EnumSource(BenchmarkWorkload.class)
  void shouldHaveTheSizesOfTheOtherLibraries(BenchmarkWorkload workload) {
    boolean market = workload != BenchmarkWorkload.CARTPOLE_LSTM;
    assertThat(workload.config(2, List.of()).ppo().batchSize()).isEqualTo(market ? 512 : 256);
    assertThat(workload.config(2, List.of()).ppo().epochs()).isEqualTo(market ? 4 : 10);
    assertThat(workload.config(2, List.of()).critic().twin()).isTrue();
    assertThat(workload.environments().create(0).observationSpace().size())
        .isEqualTo(market ? 64 : 4);
  }

  @Test
  void shouldKeepTheContractOfEnvironments() {
    assertThat(EnvironmentChecker.check(index -> new BenchmarkMarket(64, 256)).passed()).isTrue();
  }
}
