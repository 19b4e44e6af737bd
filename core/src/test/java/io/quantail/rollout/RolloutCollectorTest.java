package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.RecurrentState;
import io.quantail.ppo.PpoUpdate;
import io.quantail.rollout.ScriptedEnvironment.Script;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RolloutCollectorTest {
  private static final ReturnScale SCALE = new ReturnScale(2, 3);
  private static final EnvironmentFactory SHORT_CART_POLE =
      index -> new TimeLimitWrapper(new CartPole(), 7);

  /** Episodes of one to four steps, cut or ended, that never line up with the windows. */
  private static final List<Script> SCRIPTS =
      List.of(
          new Script(new float[] {0.5f, -1, 2, 0.25f}, true),
          new Script(new float[] {-0.75f, 1.5f}, false),
          new Script(new float[] {1, -0.5f, 0.3f, 0.9f, -2}, false),
          new Script(new float[] {0.1f, 3}, true),
          new Script(new float[] {-1, 0.2f, -0.4f}, true));

  @Requirement({"NET-2", "BATCH-1", "MASK-2", "ACT-1"})
  @ParameterizedTest
  @CsvSource({
    "cartPole, lstm, 1, false",
    "cartPole, lstm, 2, true",
    "cartPole, none, 1, false",
    "pendulum, lstm, 1, true",
    "pendulum, lstm, 2, false",
    "masked, lstm, 1, false",
    "masked, none, 1, true",
    "mixed, lstm, 2, true"
  })
  void shouldFindTheStoredNumbersAgainOnTheFirstPass(
      String task, String memory, int layers, boolean shared) {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            "network.memory=" + memory,
            "network.layers=" + layers,
            "network.sharedMemory=" + shared,
            "optimizer.learningRate=0.01");
    EnvironmentFactory factory = Experience.task(task, task.equals("pendulum") ? 5 : 7);
    try (Experience experience = new Experience(config, factory)) {
      PpoUpdate update = new PpoUpdate(config, experience.model(), experience.workers());
      for (int iteration = 0; iteration < 4; iteration++) {
        Rollout rollout = experience.collect();
        assertEpisodesEndInsideWindows(rollout);
        checkFirstPass(experience.agent(), rollout);
        TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
        update.run(rollout, estimates, Experience.NO_RISK, 0, 0);
        experience.model().observe(rollout.rawObservations());
      }
    }
  }

  private static void assertEpisodesEndInsideWindows(Rollout rollout) {
    Rollout.Shape shape = rollout.shape();
    assertThat(IntStream.range(0, shape.transitions()))
        .anyMatch(i -> rollout.episodeStarts[i] && i / shape.environments() % shape.window() != 0);
    assertThat(IntStream.range(0, shape.transitions())).anyMatch(i -> rollout.truncated[i]);
  }

  private static void checkFirstPass(ActingModel agent, Rollout rollout) {
    checkFirstPass(agent, rollout, 1e-6);
  }

  static void checkFirstPass(ActingModel agent, Rollout rollout, double tolerance) {
    int[] windows = IntStream.range(0, rollout.shape().windows()).toArray();
    SequenceBatch batch = new SequenceBatch(rollout, windows);
    NetworkPass pass =
        agent.network().evaluate(new Workspace(), agent.inference(), batch.sequences());
    PolicyDistribution policy = pass.policy();
    Critic critic = agent.critic();
    float[] actions = batch.rawActions();
    float[] logProbabilities = batch.logProbabilities();
    float[] distributions = batch.distributions();
    for (int row = 0; row < batch.size(); row++) {
      pass.set(policy, row);
      double logProbability = policy.logProbability(actions, row * batch.actionSize());
      double ratio = Math.exp((float) logProbability - logProbabilities[row]);
      assertThat(ratio).isCloseTo(1, within(tolerance));
      assertThat(policy.divergenceFrom(distributions, row * batch.distributionSize()))
          .isCloseTo(0, within(1e-6));
      double stored = rollout.values[batch.transitions()[row]];
      double rounding = 1e-6 * (3 + Math.abs(stored));
      assertThat(critic.value(pass.values()[row])).isCloseTo(stored, within(rounding));
    }
  }

  /** Replays one environment at a time from the scripts, with nothing but single steps. */
  @Requirement({"GAE-2", "NET-2"})
  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void shouldAgreeWithAReplayOfEachEpisode(int layers, boolean shared) {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            "environment.normalizeObservations=false",
            "network.layers=" + layers,
            "network.sharedMemory=" + shared,
            "ppo.sequenceLength=4",
            "environment.count=3",
            "ppo.batchSize=48");
    try (Experience experience =
        new Experience(config, index -> new ScriptedEnvironment(SCRIPTS, index))) {
      Rollout first = experience.collect();
      Rollout second = experience.collect();
      assertThat(IntStream.range(0, 48)).anyMatch(i -> first.truncated[i]);
      for (int environment = 0; environment < 3; environment++) {
        new Replay(experience.agent(), environment).check(List.of(first, second));
      }
    }
  }

  private static final class Replay {
    private final ActingModel agent;
    private final int environment;
    private int episode;
    private int position;
    private RecurrentState state;

    Replay(ActingModel agent, int environment) {
      this.agent = agent;
      this.environment = environment;
      this.episode = environment;
    }

    void check(List<Rollout> rollouts) {
      state = agent.network().initialState(1);
      for (Rollout rollout : rollouts) {
        for (int time = 0; time < rollout.shape().steps(); time++) {
          checkStep(rollout, time);
        }
        double last = value(observation(), state);
        assertThat(agent.critic().value(rollout.lastOutputs[environment]))
            .isCloseTo(last, within(3e-6));
      }
    }

    private void checkStep(Rollout rollout, int time) {
      int at = time * rollout.shape().environments() + environment;
      Script script = SCRIPTS.get(episode);
      assertThat(rollout.observations[at]).containsExactly(observation());
      assertThat(rollout.episodeStarts[at]).isEqualTo(position == 0);
      checkStoredState(rollout, time);
      assertThat(rollout.values[at]).isCloseTo(value(observation(), state), within(3e-6));
      state = step(observation(), state).next();
      position++;
      boolean end = position == script.observations().length - 1;
      assertThat(rollout.truncated[at]).isEqualTo(end && script.truncated());
      assertThat(rollout.terminated[at]).isEqualTo(end && !script.truncated());
      if (end && script.truncated()) {
        assertThat(agent.critic().value(rollout.terminalOutputs[at]))
            .isCloseTo(value(observation(), state), within(3e-6));
      } else {
        assertThat(rollout.terminalOutputs[at]).isNull();
      }
      if (end) {
        episode = (episode + 1) % SCRIPTS.size();
        position = 0;
        state = agent.network().initialState(1);
      }
    }

    private void checkStoredState(Rollout rollout, int time) {
      Rollout.Shape shape = rollout.shape();
      if (time % shape.window() != 0) {
        return;
      }
      int size = shape.stateSize();
      int from = (time / shape.window() * shape.environments() + environment) * size;
      float[] hidden = RecurrentState.flat(state.hidden());
      float[] cell = RecurrentState.flat(state.cell());
      for (int i = 0; i < size; i++) {
        assertThat((double) rollout.windowHidden[from + i])
            .isCloseTo((double) hidden[i], within(1e-6));
        assertThat((double) rollout.windowCell[from + i]).isCloseTo((double) cell[i], within(1e-6));
      }
    }

    private float observation() {
      return SCRIPTS.get(episode).observations()[position];
    }

    private NetworkPass step(float observation, RecurrentState before) {
      return agent
          .network()
          .step(new Workspace(), agent.inference(), new float[][] {{observation}}, before);
    }

    private double value(float observation, RecurrentState before) {
      return agent.critic().value(step(observation, before).values()[0]);
    }
  }

  @Requirement("NET-2")
  @Test
  void shouldZeroTheStateAtEpisodeStarts() {
    RunConfig config =
        SmallRuns.of(RunConfig.defaults(), "ppo.sequenceLength=1", "ppo.batchSize=64");
    try (Experience experience = new Experience(config, SHORT_CART_POLE)) {
      Rollout rollout = experience.collect();
      int size = rollout.shape().stateSize();
      for (int at = 0; at < rollout.shape().transitions(); at++) {
        double squares = 0;
        for (int i = at * size; i < (at + 1) * size; i++) {
          squares += Math.abs(rollout.windowHidden[i]) + Math.abs(rollout.windowCell[i]);
        }
        assertThat(squares == 0).as("transition %d", at).isEqualTo(rollout.episodeStarts[at]);
      }
    }
  }
}
