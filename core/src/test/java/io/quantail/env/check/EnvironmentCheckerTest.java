package io.quantail.env.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.check.CheckReport.Rule;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One broken environment for each thing the checker looks for. */
@Requirement("ENV-1")
class EnvironmentCheckerTest {
  private final AtomicInteger global = new AtomicInteger();

  static List<String> names() {
    return EnvironmentRegistry.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldPassAllBuiltInEnvironments(String name) {
    CheckReport report = EnvironmentChecker.check(EnvironmentRegistry.byName(name));
    assertThat(violations(report)).as(report.toString()).isEmpty();
    assertThat(report.passed()).isTrue();
    EnvironmentChecker.require(EnvironmentRegistry.byName(name));
  }

  @Test
  void shouldPlayAllowedActionsOnly() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public void allowed(boolean[] mask) {
                mask[count % 3] = false;
              }

              @Override
              public Step step(Action action) {
                int forbidden = count % 3;
                Step step = super.step(action);
                if (action.index() == forbidden) {
                  throw new IllegalArgumentException("forbidden");
                }
                return step;
              }
            };
    CheckReport report = EnvironmentChecker.check(factory);
    assertThat(violations(report)).as(report.toString()).isEmpty();
  }

  @Test
  void shouldFindMasksThatLeaveNoChoice() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public void allowed(boolean[] mask) {
                Arrays.fill(mask, count < 6);
              }
            };
    assertFinds(Rule.MASKS, factory, "step 6: allowed forbade every choice of the action");
  }

  @Test
  void shouldFindMasksThatChangeWithoutAStep() {
    EnvironmentFactory moody =
        index ->
            new CountingEnvironment(20) {
              @Override
              public void allowed(boolean[] mask) {
                mask[(int) (draw++ % 3)] = false;
              }
            };
    assertThat(violations(EnvironmentChecker.check(moody)))
        .filteredOn(finding -> finding.rule() == Rule.MASKS)
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).contains("asked twice without a step"));
  }

  @Test
  void shouldFindAskingThatChangesTheEpisode() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              private RandomStream stream;

              @Override
              public float[] reset(RandomStream random) {
                stream = random;
                return super.reset(random);
              }

              @Override
              public void allowed(boolean[] mask) {
                stream.nextLong();
                mask[0] = false;
              }

              @Override
              public Step step(Action action) {
                return super.step(action).reward(stream.nextDouble());
              }

              @Override
              public void restore(double[] state, RandomStream random) {
                stream =
                    RandomStream.restore(random.key(), random.substream(), random.position() - 1);
                super.restore(state, random);
              }
            };
    assertFinds(Rule.MASKS, factory, "changed the episode after 1 steps");
  }

  @Test
  void shouldReportAllFindingsAndThrowThem() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public Step step(Action action) {
                return super.step(action).reward(global.getAndIncrement());
              }

              @Override
              public void restore(double[] state, RandomStream random) {
                throw new UnsupportedOperationException("later");
              }
            };
    CheckReport report = EnvironmentChecker.check(factory);
    assertThat(report.findings())
        .extracting(CheckReport.Finding::rule)
        .containsExactly(Rule.STEP_DETERMINISM, Rule.TIME_LIMIT, Rule.SNAPSHOT);
    assertThatThrownBy(() -> EnvironmentChecker.require(factory))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("STEP_DETERMINISM: same stream")
        .hasMessageContaining("\nwarning TIME_LIMIT: ")
        .hasMessageContaining("\nSNAPSHOT: environment 0, episode 0, step 0: restore threw");
  }

  @Test
  void shouldReportTheSameViolationOnce() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public Step step(Action action) {
                return super.step(action).withObservation(new float[3]);
              }
            };
    assertFinds(Rule.CONTRACT, factory, "observation had 3 components, must have 2");
  }

  @Test
  void shouldAskWhetherATimeLimitIsPartOfTheTask() {
    CheckReport report = EnvironmentChecker.check(index -> new CountingEnvironment(20));
    assertThat(report.passed()).isTrue();
    assertThat(report)
        .hasToString(
            "warning TIME_LIMIT: all 3 episodes of random actions were terminated after 20 steps; is"
                + " this time limit part of the task? If not, truncate the episode there, so that"
                + " the value of its last state still counts");
    CheckReport truncated =
        EnvironmentChecker.check(index -> new TimeLimitWrapper(new CountingEnvironment(99), 20));
    assertThat(truncated).hasToString("no findings");
    assertThat(EnvironmentChecker.check(index -> new CountingEnvironment(1)))
        .hasToString("no findings");
  }

  @Test
  void shouldFindFactoryThatReturnsNullOrOneObject() {
    assertFinds(Rule.CREATION, index -> null, "new environment on each call");
    CountingEnvironment single = new CountingEnvironment(20);
    assertFinds(Rule.CREATION, index -> single, "new environment on each call");
  }

  @Test
  void shouldFindFactoryThatThrows() {
    EnvironmentFactory factory =
        index -> {
          throw new IllegalStateException("no data");
        };
    assertFinds(Rule.CREATION, factory, "no data");
  }

  @Test
  void shouldFindMissingSpaces() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public ActionSpace actionSpace() {
                return null;
              }
            };
    assertFinds(Rule.SPACES, factory, "was null");
    EnvironmentFactory blind =
        index ->
            new CountingEnvironment(20) {
              @Override
              public ObservationSpace observationSpace() {
                return ObservationSpace.named();
              }
            };
    assertFinds(Rule.SPACES, blind, "at least 1 number, was nothing");
  }

  @Test
  void shouldFindChangingSpaces() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              private int resets;

              @Override
              public ActionSpace actionSpace() {
                return new ActionSpace.Discrete(resets > 3 ? 2 : 3);
              }

              @Override
              public float[] reset(RandomStream random) {
                resets++;
                return super.reset(random);
              }

              @Override
              public Step step(Action action) {
                return super.step(Action.of(super.actionSpace(), 0));
              }
            };
    assertFinds(Rule.SPACES, factory, "must be constant");
  }

  @Test
  void shouldFindBrokenContract() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public float[] observation() {
                return new float[count < 5 ? 2 : 1];
              }
            };
    assertFinds(Rule.CONTRACT, factory, "step 5: observation had 1 components, must have 2");
  }

  @Test
  void shouldFindRandomStartOfItsOwn() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public float[] reset(RandomStream random) {
                return new float[] {global.getAndIncrement(), super.reset(random)[1]};
              }
            };
    assertFinds(Rule.RESET_DETERMINISM, factory, "after 0 steps another new instance gave");
  }

  @Test
  void shouldFindStateThatSurvivesReset() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              private int resets;

              @Override
              public float[] reset(RandomStream random) {
                return new float[] {resets++, super.reset(random)[1]};
              }
            };
    assertFinds(Rule.RESET_DETERMINISM, factory, "after 0 steps a used instance gave");
  }

  @Test
  void shouldFindRandomStepsOfItsOwn() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public Step step(Action action) {
                Step step = super.step(action);
                return count < 9
                    ? step
                    : Step.of(step.observation())
                        .reward(global.getAndIncrement())
                        .terminated(step.isTerminated())
                        .info(step.info());
              }

              @Override
              public double[] snapshot() {
                return null;
              }
            };
    assertFinds(Rule.STEP_DETERMINISM, factory, "after 9 steps");
  }

  @Test
  void shouldFindEpisodesWithoutEnd() {
    CheckReport report = EnvironmentChecker.check(index -> new CountingEnvironment(20), 19);
    assertThat(report.findings())
        .extracting(CheckReport.Finding::rule)
        .containsExactly(Rule.EPISODE_END);
    assertThat(report.toString()).contains("within 19 steps");
    assertThat(EnvironmentChecker.check(index -> new CountingEnvironment(20), 20).passed())
        .isTrue();
  }

  @Test
  void shouldFindRefusedBounds() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public ActionSpace actionSpace() {
                return new ActionSpace.Box(new float[] {-1, 0}, new float[] {1, 3});
              }

              @Override
              public Step step(Action action) {
                if (action.value(1) >= 3) {
                  throw new IllegalArgumentException("too much");
                }
                return super.step(action);
              }
            };
    assertFinds(Rule.ACTION_BOUNDS, factory, "too much");
  }

  @Test
  void shouldFindIncompleteSnapshot() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public void restore(double[] state, RandomStream random) {
                super.restore(new double[] {state[0], 0, state[2]}, random);
              }
            };
    assertFinds(Rule.SNAPSHOT, factory, "restored after 1 steps, step 2 gave");
  }

  @Test
  void shouldFindPromisedButMissingSnapshot() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(20) {
              @Override
              public double[] snapshot() {
                throw new UnsupportedOperationException("later");
              }
            };
    assertFinds(Rule.SNAPSHOT, factory, "snapshot threw");
  }

  @Test
  void shouldCloseWhatItChecked() {
    CountingEnvironment[] made = {new CountingEnvironment(20), new CountingEnvironment(20)};
    EnvironmentChecker.check(index -> made[global.getAndIncrement()]);
    assertThat(made).allMatch(environment -> environment.closed);
  }

  @Test
  void shouldRejectAnEmptyBudget() {
    assertThatThrownBy(() -> EnvironmentChecker.check(index -> new CountingEnvironment(20), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
  }

  private static void assertFinds(Rule rule, EnvironmentFactory factory, String message) {
    CheckReport report = EnvironmentChecker.check(factory);
    assertThat(report.passed()).isFalse();
    assertThat(violations(report))
        .as(report.toString())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo(rule);
              assertThat(finding.message()).contains(message);
            });
  }

  private static List<CheckReport.Finding> violations(CheckReport report) {
    return report.findings().stream().filter(finding -> !finding.rule().warning()).toList();
  }
}
