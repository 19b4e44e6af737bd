package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.Pendulum;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exploration matrices of rollouts, resumed runs and sampled evaluation. */
@Requirement("EXPL-1")
class StateDependentExplorationTest {
  private static final EnvironmentFactory SHORT =
      index -> new TimeLimitWrapper(new Pendulum(), 5 + index);

  private static RunConfig config(String... overrides) {
    String[] all = new String[overrides.length + 2];
    all[0] = "network.exploration=gsde";
    all[1] = "network.gsdeLogSigma=-0.5";
    System.arraycopy(overrides, 0, all, 2, overrides.length);
    return SmallRuns.of(RunConfig.defaults(), all);
  }

  /** Each action from its address, with a slow loop in double precision. */
  @ParameterizedTest
  @ValueSource(strings = {"lstm", "none"})
  void shouldDrawMatricesAtTheirAddress(String memory) {
    RunConfig config = config("seed=9", "network.memory=" + memory, "rollout.lanes=2");
    try (Experience experience = new Experience(config, SHORT)) {
      experience.collector().collect(6, ObservationPerturbation.Source.NONE);
      Rollout rollout = experience.collector().collect(7, ObservationPerturbation.Source.NONE);
      RolloutCollectorTest.checkFirstPass(experience.agent(), rollout, 1e-6);
      int environments = rollout.shape().environments();
      int draws = 0;
      for (int environment = 0; environment < environments; environment++) {
        double[] matrix = {};
        int draw = 0;
        for (int time = 0; time < rollout.shape().steps(); time++) {
          int at = time * environments + environment;
          if (time == 0 || rollout.episodeStarts[at]) {
            matrix = matrix(experience, 9, 7, environment, draw++);
          }
          float[] features = features(experience.agent(), rollout, at);
          double noise = 0;
          double variance = 0;
          for (int i = 0; i < features.length; i++) {
            noise += matrix[i] * features[i];
            double sigma = sigma(experience, i);
            variance += (double) features[i] * features[i] * sigma * sigma;
          }
          float mean = rollout.distributions[2 * at];
          float deviation = rollout.distributions[2 * at + 1];
          double expected = mean + noise / Math.sqrt(variance) * deviation;
          assertThat((double) rollout.rawActions[at]).isCloseTo(expected, within(1e-5));
        }
        draws += draw;
      }
      assertThat(draws).as("some within the rollout").isGreaterThan(2 * environments);
    }
  }

  private static double sigma(Experience experience, int i) {
    Parameters parameters = experience.model().parameters();
    return Math.exp(parameters.range("actor.log_sigma").of(parameters.values())[i]);
  }

  private static double[] matrix(
      Experience experience, long seed, long update, int environment, int draw) {
    RandomStream stream =
        RandomStream.of(seed, "gsde/" + update, ((long) environment << 32) + draw);
    return IntStream.range(0, experience.agent().network().explorationSize())
        .mapToDouble(i -> sigma(experience, i) * stream.nextGaussian())
        .toArray();
  }

  private static float[] features(ActingModel agent, Rollout rollout, int transition) {
    int[] windows = IntStream.range(0, rollout.shape().windows()).toArray();
    SequenceBatch batch = new SequenceBatch(rollout, windows);
    NetworkPass pass =
        agent.network().evaluate(new Workspace(), agent.inference(), batch.sequences());
    for (int row = 0; row < batch.size(); row++) {
      if (batch.transitions()[row] == transition) {
        return pass.features()[row];
      }
    }
    throw new AssertionError("no row of transition " + transition);
  }

  /** Over environments the noise of one step has mean 0 and the deviation that is stored. */
  @Test
  void shouldDrawDifferentMatricesForDifferentEnvironments() {
    int environments = 2000;
    RunConfig config =
        config("environment.count=" + environments, "rollout.steps=8", "ppo.batchSize=16000");
    try (Experience experience = new Experience(config, index -> new Pendulum())) {
      Rollout rollout = experience.collect();
      double sum = 0;
      double squares = 0;
      for (int at = 0; at < environments; at++) {
        double z =
            (rollout.rawActions[at] - rollout.distributions[2 * at])
                / rollout.distributions[2 * at + 1];
        sum += z;
        squares += z * z;
      }
      assertThat(sum / environments).isCloseTo(0, within(4 / Math.sqrt(environments)));
      assertThat(squares / environments).isCloseTo(1, within(4 * Math.sqrt(2.0 / environments)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lstm", "none"})
  void shouldNotDependOnThreadsOrOnAResume(String memory) {
    StateMap whole = train(config("network.memory=" + memory, "rollout.lanes=4"), null, 4);
    RunConfig two = config("network.memory=" + memory, "rollout.lanes=4", "training.threads=2");
    StateMap resumed = train(two, train(two, null, 2), 2);
    assertThat(resumed.entries()).isEqualTo(whole.entries());
    assertThat(train(config("network.exploration=gaussian"), null, 1).names())
        .noneMatch(name -> name.contains("log_sigma"));
  }

  private static StateMap train(RunConfig config, StateMap from, int updates) {
    try (Trainer trainer = new Trainer(config, SHORT)) {
      if (from != null) {
        trainer.load(from);
      }
      for (int i = 0; i < updates; i++) {
        assertThat(trainer.iterate().values()).containsKey("diag/sigma_new_p50");
      }
      StateMap state = new StateMap();
      trainer.save(state);
      return state;
    }
  }

  /** Without memory equal observations get equal actions until an episode starts. */
  @Test
  void shouldRedrawAtEpisodesOfASampledEvaluation() {
    try (Experience experience = new Experience(config("network.memory=none"), SHORT)) {
      PolicyRunner runner = new PolicyRunner(experience.agent(), 2);
      RandomStream[] streams = RandomStream.array(3, "action", 2);
      float[] seen = {0.6f, -0.8f, 0.5f, 0.6f, -0.8f, 0.5f};
      float[] first = runner.rawActions(runner.step(seen), streams, 0);
      float[] second = runner.rawActions(runner.step(seen), streams, 0);
      runner.start(1);
      float[] third = runner.rawActions(runner.step(seen), streams, 0);
      assertThat(second).isEqualTo(first);
      assertThat(third[0]).isEqualTo(first[0]);
      assertThat(first[1]).isNotEqualTo(first[0]);
      assertThat(third[1]).isNotEqualTo(first[1]);
      long drawn = 2L * experience.agent().network().explorationSize();
      assertThat(streams[0].position()).isEqualTo(drawn);
      assertThat(streams[1].position()).isEqualTo(2 * drawn);
      float[] modes = runner.rawActions(runner.step(seen), null, 0);
      assertThat(modes[0]).isEqualTo(modes[1]).isNotEqualTo(first[0]);
    }
  }
}
