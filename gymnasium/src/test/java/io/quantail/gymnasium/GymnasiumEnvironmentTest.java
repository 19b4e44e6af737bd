package io.quantail.gymnasium;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedStep;
import io.quantail.env.ObservationSpace;
import io.quantail.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("GYM-1")
class GymnasiumEnvironmentTest {
  @Test
  void shouldStepAndResetRowsLikeGymnasium() {
    try (BatchedEnvironment environment = PythonInterpreter.task("Counting-v0").createBatch(3)) {
      BatchedStep rows = new BatchedStep(environment);
      assertThat(environment.count()).isEqualTo(3);
      assertThat(environment.actionSpace()).isEqualTo(ActionSpace.discrete(5));
      for (int row = 0; row < 3; row++) {
        environment.reset(row, 100 + row, rows);
      }
      assertThat(rows.observations()).containsExactly(100, 0, 101, 0, 102, 0);

      environment.step(new float[] {0, 1, 4}, rows);
      assertThat(rows.rewards()).containsExactly(10, 11, 14);
      assertThat(rows.observations()).containsExactly(100, 1, 101, 1, 102, 1);
      environment.step(new float[3], rows);
      environment.step(new float[3], rows);
      assertThat(rows.terminated()).containsExactly(false, true, false);
      assertThat(rows.truncated()).containsOnly(false);
      assertThat(rows.observations()).containsExactly(100, 3, 101, 3, 102, 3);

      environment.reset(1, 1L << 40 | 7, rows); // seeds have 31 bits
      assertThat(rows.observations()).containsExactly(100, 3, 7, 0, 102, 3);
      environment.step(new float[3], rows);
      assertThat(rows.truncated()).containsExactly(true, false, true);
      assertThat(rows.terminated()).containsOnly(false);
      assertThat(rows.observations()).containsExactly(100, 4, 7, 1, 102, 4);
    }
  }

  @Test
  void shouldFlattenNestedSpacesAndMasks() {
    try (BatchedEnvironment environment = PythonInterpreter.task("Mixed-v0").createBatch(2)) {
      assertThat(environment.actionSpace())
          .isEqualTo(
              ActionSpace.product(
                  ActionSpace.discrete(3),
                  ActionSpace.box(new float[] {-2, -2}, new float[] {2, 2}),
                  ActionSpace.discrete(2),
                  ActionSpace.discrete(4)));
      assertThat(environment.masks()).isTrue();
      assertThat(environment.observationSpace())
          .isEqualTo(
              ObservationSpace.named().rawPart("gear", 3).rawPart("inner.0", 2).part("place", 2));
      BatchedStep rows = new BatchedStep(environment);
      environment.reset(0, 1, rows);
      environment.reset(1, 2, rows);
      assertThat(rows.masks())
          .containsExactly(
              true, true, true, true, true, true, true, false, true, //
              true, true, true, true, true, true, true, false, true);

      environment.step(new float[] {2, 1, -2, 1, 0, 0, 0.5f, 0, 0, 3}, rows);
      assertThat(rows.observations())
          .containsExactly(0, 0, 1, 1, 0, 0.5f, -1, 1, 0, 0, 0, 1, 0.25f, 0);
      assertThat(rows.masks())
          .containsExactly(
              true, true, false, true, true, true, true, false, true, //
              false, true, true, true, true, true, true, false, true);
    }
  }

  @Test
  void shouldPassOptionsToGymnasium() {
    GymnasiumFactory factory = PythonInterpreter.task("Failing-v0");
    try (BatchedEnvironment environment =
        factory.option("how", "never").option("only", null).createBatch(1)) {
      assertThat(environment.observationSpace().size()).isEqualTo(2);
    }
    assertThat(factory.option("a", Map.of("b", 1)).toString())
        .isEqualTo("Gymnasium src.test.python.bridge_tasks:Failing-v0 {a={b=1}}");
  }

  @Test
  void shouldEndTheProcessWhenItIsClosed() throws Exception {
    GymnasiumEnvironment environment =
        (GymnasiumEnvironment) PythonInterpreter.task("Counting-v0").createBatch(1);
    ProcessHandle process = ProcessHandle.of(environment.pid()).orElseThrow();
    environment.close();
    environment.close();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void shouldDivideEpisodesAmongProcesses() {
    GymnasiumFactory factory = GymnasiumEnvironment.make("Any-v0").processes(3);
    assertThat(factory.simulators(8)).isEqualTo(3);
    assertThat(factory.simulators(2)).isEqualTo(2);
  }
}
