package io.quantail.env.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.BatchedStep;
import io.quantail.env.ObservationSpace;
import io.quantail.env.check.CheckReport.Rule;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

/** One broken simulator for each thing the check looks for. */
@Requirement("ENV-1")
class BatchCheckTest {
  /** Adds up its actions, beginning with its seed; ends after ten steps and forbids one choice. */
  private static class Sums implements BatchedEnvironment {
    final int count;
    final double[] sums;
    final int[] steps;

    Sums(int count) {
      this.count = count;
      sums = new double[count];
      steps = new int[count];
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.named("sum");
    }

    @Override
    public ActionSpace actionSpace() {
      return ActionSpace.discrete(3);
    }

    @Override
    public boolean masks() {
      return true;
    }

    @Override
    public void reset(int row, long seed, BatchedStep rows) {
      sums[row] = seed;
      steps[row] = 0;
      show(row, rows);
    }

    @Override
    public void step(float[] actions, BatchedStep rows) {
      for (int row = 0; row < count; row++) {
        if (!rows.masks()[3 * row + (int) actions[row]]) {
          throw new IllegalArgumentException("masks must be all true before a step");
        }
        sums[row] += actions[row];
        rows.rewards()[row] = actions[row];
        rows.terminated()[row] = ++steps[row] == 10;
        show(row, rows);
      }
    }

    void show(int row, BatchedStep rows) {
      rows.observation(row, (float) sums[row]);
      rows.masks()[3 * row + steps[row] % 3] = false;
    }
  }

  @Test
  void shouldPassASimulatorThatKeepsTheContract() {
    assertThat(EnvironmentChecker.checkBatch(Sums::new)).hasToString("no findings");
  }

  @Test
  void shouldFindFactoriesThatDoNotDeliver() {
    Sums single = new Sums(3);
    assertFinds(count -> single, Rule.CREATION, "new simulator on each call");
    assertFinds(count -> new Sums(count + 1), Rule.CREATION, "asked for, it has 4");
  }

  @Test
  void shouldFindNumbersThatAreNotFinite() {
    assertFinds(
        count ->
            new Sums(count) {
              @Override
              void show(int row, BatchedStep rows) {
                rows.observation(row, row == 2 && steps[row] == 4 ? Float.NaN : 0);
              }
            },
        Rule.CONTRACT,
        "row 2: sum was NaN, must be finite");
  }

  @Test
  void shouldFindMasksWithoutAChoice() {
    assertFinds(
        count ->
            new Sums(count) {
              @Override
              void show(int row, BatchedStep rows) {
                super.show(row, rows);
                for (int i = 0; steps[row] == 7 && i < 3; i++) {
                  rows.masks()[3 * row + i] = false;
                }
              }
            },
        Rule.MASKS,
        "leaves no choice");
  }

  @Test
  void shouldFindRowsThatDependOnOtherRows() {
    assertFinds(
        count ->
            new Sums(count) {
              @Override
              public void step(float[] actions, BatchedStep rows) {
                sums[0] += actions[1];
                super.step(actions, rows);
              }
            },
        Rule.STEP_DETERMINISM,
        "in row 0 the simulator, with other actions in the other rows, gave");
  }

  @Test
  void shouldFindWhatSurvivesAReset() {
    assertFinds(
        count ->
            new Sums(count) {
              private int resets;

              @Override
              public void reset(int row, long seed, BatchedStep rows) {
                super.reset(row, seed + resets++, rows);
              }
            },
        Rule.STEP_DETERMINISM,
        "in row 0 a used simulator gave");
  }

  private static void assertFinds(BatchedEnvironmentFactory factory, Rule rule, String message) {
    assertThat(EnvironmentChecker.checkBatch(factory).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo(rule);
              assertThat(finding.message()).contains(message);
            });
  }
}
