package io.quantail.robust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On real rollouts with episode ends, for discrete and continuous actions. */
@Requirement({"ROB-1", "MASK-2"})
class RobustLossTermTest {
  private static final PerturbationBounds LIMITS = new PerturbationBounds(-10, 10, List.of());
  private static final double EPSILON = 0.5;

  /** An agent, a batch of its experience, and a replica to learn and one to attack. */
  private static final class Case implements AutoCloseable {
    final Experience experience;
    final ParameterReplica learner;
    final ParameterReplica attacked;
    final SequenceBatch batch;

    Case(String task) {
      RunConfig config = SmallRuns.of(RunConfig.defaults());
      experience = new Experience(config, Experience.task(task, task.equals("pendulum") ? 5 : 6));
      learner = experience.model().parameters().replica();
      attacked = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      batch = new SequenceBatch(rollout, new int[] {4, 1, 7, 2});
      // The first policy hardly prefers an action; a stronger head makes its divergence visible.
      Parameters parameters = experience.model().parameters();
      Parameters.Range head = parameters.range("actor.head.");
      parameters.change(
          values -> {
            for (int i = (int) head.offset(); i < head.offset() + head.count(); i++) {
              values[i] *= 10;
            }
          });
    }

    RobustLossTerm.OfUpdate term(
        RobustConfig.AttackMethod method, RobustConfig.AttackNorm norm, double ratio) {
      return new RobustLossTerm.OfUpdate(
          experience.agent().network(),
          new ObservationAttack(method, norm, EPSILON, 5, 0.4 * EPSILON, LIMITS),
          2,
          ratio);
    }

    RobustLossTerm.Reading backward(RobustLossTerm.OfUpdate term) {
      learner.clearGradient();
      return term.backward(learner, attacked, batch, 0.25, stream());
    }

    static RandomStream stream() {
      return RandomStream.of(5, "robust/0", 0);
    }

    PolicyDivergence shift() {
      return new PolicyDivergence(experience.agent().network(), attacked, batch.sequences());
    }

    /** How far the policy moves at perturbed observations. */
    double divergence(PolicyDivergence shift, float[][] seen) {
      return shift.backward(learner, seen, 0);
    }

    @Override
    public void close() {
      experience.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cartPole, PGD, LINF",
    "cartPole, FGSM, L2",
    "pendulum, PGD, L2",
    "pendulum, FGSM, LINF",
    "masked, PGD, LINF",
    "mixed, FGSM, L2"
  })
  void shouldHaveTheGradientOfFiniteDifferencesAtTheDisturbanceItFound(
      String task, RobustConfig.AttackMethod method, RobustConfig.AttackNorm norm) {
    try (Case example = new Case(task)) {
      RobustLossTerm.OfUpdate term = example.term(method, norm, 1);
      RobustLossTerm.Reading reading = example.backward(term);
      float[] gradient = example.learner.gradient().clone();
      assertThat(reading.used()).isTrue();
      assertThat(reading.divergence()).isGreaterThan(1e-4);
      assertThat(reading.size()).isLessThanOrEqualTo(EPSILON + 1e-5);

      RandomStream random = Case.stream();
      random.permutation(example.batch.windows());
      PolicyDivergence shift = example.shift();
      float[][] clean = example.batch.sequences().observations();
      float[][] worst = term.attack().apply(clean, shift, random);
      double found = example.divergence(shift, worst);
      assertThat(found).as("the same search").isEqualTo(reading.divergence());
      Parameters parameters = example.experience.model().parameters();
      double size = 0;
      for (int i = 0; i < gradient.length; i += 17) {
        int index = i;
        double[] terms = new double[2];
        for (int side = 0; side < 2; side++) {
          float distance = side == 0 ? 0.01f : -0.01f;
          parameters.change(values -> values[index] += distance);
          terms[side] = RobustLossTerm.term(example.divergence(shift, worst), 1, 2) * 0.25;
          parameters.change(values -> values[index] -= distance);
        }
        double slope = (terms[0] - terms[1]) / 0.02;
        assertThat((double) gradient[i]).isCloseTo(slope, within(2e-4 + 2e-2 * Math.abs(slope)));
        size += Math.abs(slope);
      }
      assertThat(size).isGreaterThan(1e-3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cartPole", "pendulum", "masked", "mixed"})
  void shouldMoveThePolicyMoreThanNoiseDoesAndWithMoreStepsMore(String task) {
    try (Case example = new Case(task)) {
      float[][] clean = example.batch.sequences().observations();
      PolicyDivergence shift = example.shift();
      ObservationAttack attack =
          example.term(RobustConfig.AttackMethod.PGD, RobustConfig.AttackNorm.LINF, 1).attack();
      double noise = 0;
      double searched = 0;
      for (int trial = 0; trial < 8; trial++) {
        RandomStream random = RandomStream.of(trial, "trial", 0);
        noise += example.divergence(shift, attack.noise(clean, random));
        searched += example.divergence(shift, attack.apply(clean, shift, random));
      }
      assertThat(searched).isGreaterThan(1.5 * noise);
    }
  }

  @Test
  void shouldLeaveTheCriticsAndTheCleanGradientAlone() {
    try (Case example = new Case("cartPole")) {
      RobustLossTerm.OfUpdate term =
          example.term(RobustConfig.AttackMethod.PGD, RobustConfig.AttackNorm.LINF, 1);
      example.backward(term);
      float[] alone = example.learner.gradient().clone();
      Parameters.Range critic = example.experience.model().parameters().range("critic.");
      assertThat(critic.of(alone)).containsOnly(0);
      // What was in the replica before is still there: the search adds nothing of its own.
      Arrays.fill(example.learner.gradient(), 1);
      term.backward(example.learner, example.attacked, example.batch, 0.25, Case.stream());
      float[] added = example.learner.gradient();
      for (int i = 0; i < alone.length; i++) {
        assertThat(added[i] - 1).isCloseTo(alone[i], within(1e-6f));
      }
    }
  }

  @Test
  void shouldDisturbTheConfiguredShareOfWindows() {
    try (Case example = new Case("cartPole")) {
      RobustLossTerm.Reading half =
          example.backward(
              example.term(RobustConfig.AttackMethod.FGSM, RobustConfig.AttackNorm.LINF, 0.5));
      assertThat(half.samples()).isEqualTo(32);
      assertThat(half.disturbed()).isEqualTo(16);
      RobustLossTerm.Reading none =
          example.backward(
              example.term(RobustConfig.AttackMethod.FGSM, RobustConfig.AttackNorm.LINF, 0.1));
      assertThat(none.disturbed()).isZero();
      assertThat(none.used()).isFalse();
      assertThat(example.learner.gradient()).containsOnly(0);
    }
  }
}
