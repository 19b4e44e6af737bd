package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.EnvironmentConfig;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.random.RandomStream;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluatorTest {
  private static final ActionSpace TWO = new ActionSpace.Discrete(2);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRepeatItselfForTheSameSeed(boolean deterministic) {
    EnvironmentFactory factory = EnvironmentRegistry.byName("CartPole-v1");
    EvaluationConfig config = new EvaluationConfig(12, deterministic, 500);
    ActingModel agent =
        new AgentModel(SmallRuns.of(RunConfig.defaults()), ObservationSpace.of(4), TWO).agent();
    EvaluationSummary first = Evaluator.evaluate(agent, factory, config, 5);
    assertThat(Evaluator.evaluate(agent, factory, config, 5)).isEqualTo(first);
    assertThat(Evaluator.evaluate(agent, factory, config, 6)).isNotEqualTo(first);
    assertThat(first.episodes()).isEqualTo(12);
  }

  @Test
  void shouldRefuseEnvironmentsWithOtherSpacesThanTheAgents() {
    EvaluationConfig config = new EvaluationConfig(1, true, 500);
    RunConfig run = SmallRuns.of(RunConfig.defaults());
    ActingModel other = new AgentModel(run, ObservationSpace.of(4), ActionSpace.box(-1, 1)).agent();
    ActingModel raw =
        new AgentModel(run, ObservationSpace.named("a", "b", "c").rawPart("d", 1), TWO).agent();
    EnvironmentFactory factory = EnvironmentRegistry.byName("CartPole-v1");
    assertThatThrownBy(() -> Evaluator.evaluate(other, factory, config, 5))
        .isInstanceOf(EnvironmentException.class)
        .hasMessage(
            "the environment observes position, velocity, angle, angularVelocity and acts in"
                + " Discrete[count=2], but the agent was trained to observe 4 numbers and to act in"
                + " Box[low=[-1.0], high=[1.0]]; restore the environment, or train a new agent");
    assertThatThrownBy(() -> Evaluator.evaluate(raw, factory, config, 5))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("trained to observe a, b, c, d raw");
  }

  @Test
  void shouldSayThatASavedAgentHasOtherSpaces() {
    RunConfig run = SmallRuns.of(RunConfig.defaults());
    StateMap saved = new StateMap();
    new AgentModel(run, ObservationSpace.of(4), TWO).save(saved);
    AgentModel changed = new AgentModel(run, ObservationSpace.of(4), ActionSpace.discrete(3));
    assertThatThrownBy(() -> changed.load(saved))
        .isInstanceOf(StateException.class)
        .hasMessageStartingWith(
            "the saved agent does not fit an environment that observes 4 numbers and acts in"
                + " Discrete[count=3]: ")
        .hasMessageContaining("actor.head");
  }

  /** Environment k has episodes of k + 1 steps that pay k each: short ones must not count more. */
  @Test
  void shouldGiveEveryEnvironmentItsQuota() {
    EvaluationConfig config = new EvaluationConfig(6, true, 500);
    ActingModel agent =
        new AgentModel(
                SmallRuns.of(RunConfig.defaults(), "environment.normalizeObservations=false"),
                ObservationSpace.of(1),
                TWO)
            .agent();
    EvaluationSummary evaluation = Evaluator.evaluate(agent, Countdown::new, config, 1);
    assertThat(evaluation.episodes()).isEqualTo(6);
    assertThat(evaluation.meanLength()).isCloseTo(3.5, within(1e-12));
    assertThat(evaluation.meanReturn()).isCloseTo(70.0 / 6, within(1e-12));
    assertThat(evaluation.minReturn()).isZero();
    assertThat(evaluation.maxReturn()).isEqualTo(30);
    double squares = (0 + 4 + 36 + 144 + 400 + 900) / 6.0;
    double expected = Math.sqrt(squares - Math.pow(70.0 / 6, 2));
    assertThat(evaluation.stdReturn()).isCloseTo(expected, within(1e-9));
    // The worst half of 21 rewards: 0, 1 1, 2 2 2, 3 3 3 3, 4; and of six returns: 0, 2, 6.
    EvaluationSummary half =
        Evaluator.evaluate(
            agent,
            Countdown::new,
            new Evaluator.Settings(config, EnvironmentConfig.Faults.defaults(), 0.5, 1));
    assertThat(half.alpha()).isEqualTo(0.5);
    assertThat(half.cvarReward()).isCloseTo(24.0 / 11, within(1e-12));
    assertThat(half.cvarReturn()).isCloseTo(8.0 / 3, within(1e-12));
    assertThat(half.meanAction()).hasSize(2);
    assertThat(half.meanAction().get(0) + half.meanAction().get(1)).isCloseTo(1, within(1e-12));
  }

  @Test
  void shouldPlayMoreEpisodesThanEnvironments() {
    ActingModel agent =
        new AgentModel(
                SmallRuns.of(RunConfig.defaults(), "environment.normalizeObservations=false"),
                ObservationSpace.of(1),
                TWO)
            .agent();
    EvaluationSummary evaluation =
        Evaluator.evaluate(
            agent, index -> new Countdown(index % 2), new EvaluationConfig(250, true, 500), 1);
    assertThat(evaluation.episodes()).isEqualTo(250);
    assertThat(evaluation.meanLength()).isCloseTo(1.5, within(1e-12));
  }

  @Test
  void shouldCutEpisodesThatDoNotEnd() {
    ActingModel agent =
        new AgentModel(
                SmallRuns.of(RunConfig.defaults(), "environment.normalizeObservations=false"),
                ObservationSpace.of(1),
                TWO)
            .agent();
    EvaluationSummary evaluation =
        Evaluator.evaluate(
            agent, index -> new Countdown(999_999), new EvaluationConfig(3, true, 20), 1);
    assertThat(evaluation.meanLength()).isEqualTo(20);
  }

  private static final class Countdown implements Environment {
    private final int index;
    private int left;

    Countdown(int index) {
      this.index = index;
    }

    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.of(1);
    }

    @Override
    public ActionSpace actionSpace() {
      return TWO;
    }

    @Override
    public float[] reset(RandomStream random) {
      left = index + 1;
      return new float[] {left};
    }

    @Override
    public Step step(Action action) {
      left--;
      float[] seen = {left};
      return Step.of(seen).reward(index).terminated(left == 0);
    }

    @Override
    public double[] snapshot() {
      return new double[] {left};
    }

    @Override
    public void restore(double[] state, RandomStream random) {
      left = (int) state[0];
    }
  }
}
