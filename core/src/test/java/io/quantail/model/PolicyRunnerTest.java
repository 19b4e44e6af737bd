package io.quantail.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.Workspace;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The one class that acts. */
@Requirement("NET-2")
class PolicyRunnerTest {
  private static final int SIZE = 3; // numbers in an observation
  private static final int ENVIRONMENTS = 4;
  private static final ActionSpace THREE = new ActionSpace.Discrete(3);

  /** A model whose observation statistics have moved. */
  private static AgentModel model(String... settings) {
    AgentModel model =
        new AgentModel(
            SmallRuns.of(RunConfig.defaults(), settings), ObservationSpace.of(SIZE), THREE);
    model.observe(observations(ENVIRONMENTS * 5, 1));
    return model;
  }

  private static float[] observations(int rows, int seed) {
    RandomStream random = RandomStream.of(seed, "observations", 0);
    float[] all = new float[rows * SIZE];
    for (int i = 0; i < all.length; i++) {
      all[i] = 2 * (float) random.nextGaussian() + 1;
    }
    return all;
  }

  /** Everything that a pass gave, copied. */
  private record Outputs(float[][] actions, float[][] values, float[] hidden, float[] cell) {
    static Outputs of(NetworkPass pass) {
      RecurrentState next = pass.next();
      return new Outputs(
          copy(pass.actions()),
          copy(pass.values()),
          RecurrentState.flat(next.hidden()).clone(),
          RecurrentState.flat(next.cell()).clone());
    }

    private static float[][] copy(float[][] rows) {
      return Arrays.stream(rows).map(float[]::clone).toArray(float[][]::new);
    }

    void requireSame(Outputs other) {
      assertThat(actions).isDeepEqualTo(other.actions);
      assertThat(values).isDeepEqualTo(other.values);
      assertThat(hidden).isEqualTo(other.hidden);
      assertThat(cell).isEqualTo(other.cell);
    }
  }

  @ParameterizedTest
  @CsvSource({"lstm, 1, false", "lstm, 2, true", "lstm, 2, false", "none, 1, false"})
  void shouldAgreeWithTheEvaluationOfWholeSequences(String memory, int layers, boolean shared) {
    ActingModel agent =
        model(
                "network.memory=" + memory,
                "network.layers=" + layers,
                "network.sharedMemory=" + shared)
            .agent();
    int steps = 9;
    PolicyRunner runner = new PolicyRunner(agent, ENVIRONMENTS);
    float[] raw = observations(steps * ENVIRONMENTS, 2); // [time, environment, feature]
    List<Outputs> stepped = new ArrayList<>();
    for (int time = 0; time < steps; time++) {
      if (startsAt(time, 1)) {
        runner.start(1);
      }
      int from = time * ENVIRONMENTS * SIZE;
      stepped.add(
          Outputs.of(runner.step(Arrays.copyOfRange(raw, from, from + ENVIRONMENTS * SIZE))));
    }
    NetworkPass whole = evaluate(agent, raw, steps);
    for (int environment = 0; environment < ENVIRONMENTS; environment++) {
      for (int time = 0; time < steps; time++) {
        int row = environment * steps + time;
        assertThat(stepped.get(time).actions()[environment])
            .containsExactly(whole.actions()[row], within(1e-6f));
        assertThat(stepped.get(time).values()[environment])
            .containsExactly(whole.values()[row], within(1e-6f));
      }
    }
  }

  /** The second environment starts an episode in the middle. */
  private static boolean startsAt(int time, int environment) {
    return time == 0 || time == 4 && environment == 1;
  }

  /** Rows are [environment, time]; every sequence starts from zero. */
  private static NetworkPass evaluate(ActingModel agent, float[] raw, int steps) {
    float[][] byTime = new float[steps * ENVIRONMENTS][agent.observationSize()];
    agent.normalize(raw, 0, byTime);
    float[][] rows = new float[byTime.length][];
    List<Integer> starts = new ArrayList<>();
    for (int row = 0; row < rows.length; row++) {
      int environment = row / steps;
      int time = row % steps;
      rows[row] = byTime[time * ENVIRONMENTS + environment];
      if (startsAt(time, environment)) {
        starts.add(row);
      }
    }
    int[] first = starts.stream().mapToInt(Integer::intValue).toArray();
    int[] lengths = new int[first.length];
    Arrays.setAll(lengths, i -> (i + 1 < first.length ? first[i + 1] : rows.length) - first[i]);
    RecurrentState zeros = agent.network().initialState(first.length);
    SequenceInput sequences = new SequenceInput(rows, zeros, new SequencePacking(first, lengths));
    return agent.network().evaluate(new Workspace(), agent.inference(), sequences);
  }

  @Test
  void shouldNotMoveTheStateWhenItPeeks() {
    PolicyRunner runner = new PolicyRunner(model().agent(), ENVIRONMENTS);
    runner.step(observations(ENVIRONMENTS, 3));
    runner.start(2);
    RecurrentState before = runner.state();
    float[] hidden = RecurrentState.flat(before.hidden()).clone();
    float[] next = observations(ENVIRONMENTS, 4);
    Outputs first =
        Outputs.of(runner.peek(next, SequenceInput.NO_MASKS, 0, ObservationPerturbation.NONE));
    Outputs second =
        Outputs.of(runner.peek(next, SequenceInput.NO_MASKS, 0, ObservationPerturbation.NONE));
    assertThat(runner.state()).isSameAs(before);
    assertThat(RecurrentState.flat(runner.state().hidden())).isEqualTo(hidden);
    assertThat(runner.starts(2)).isTrue();
    second.requireSame(first);
    Outputs.of(runner.step(next)).requireSame(first);
    assertThat(runner.starts(2)).isFalse();
    assertThat(RecurrentState.flat(runner.state().hidden())).isEqualTo(first.hidden());
  }

  @Test
  void shouldResetTheEnvironmentThatStartsAndNoOther() {
    ActingModel agent = model().agent();
    PolicyRunner runner = new PolicyRunner(agent, ENVIRONMENTS);
    PolicyRunner other = new PolicyRunner(agent, ENVIRONMENTS);
    PolicyRunner fresh = new PolicyRunner(agent, ENVIRONMENTS);
    for (int time = 0; time < 3; time++) {
      runner.step(observations(ENVIRONMENTS, time));
      other.step(observations(ENVIRONMENTS, time));
    }
    runner.start(1);
    float[][][] before = runner.before().hidden();
    assertThat(before[0][1]).containsOnly(0);
    assertThat(before[0][2]).doesNotContain(0f);
    assertThat(runner.state().hidden()[0][1]).as("as it was").doesNotContain(0f);
    float[] seen = observations(ENVIRONMENTS, 7);
    Outputs started = Outputs.of(runner.step(seen));
    Outputs continued = Outputs.of(other.step(seen));
    Outputs begun = Outputs.of(fresh.step(seen));
    for (int environment = 0; environment < ENVIRONMENTS; environment++) {
      Outputs expected = environment == 1 ? begun : continued;
      assertThat(started.values()[environment]).isEqualTo(expected.values()[environment]);
      assertThat(started.actions()[environment]).isEqualTo(expected.actions()[environment]);
    }
    assertThat(continued.values()[1]).isNotEqualTo(begun.values()[1]);
    runner.startAll();
    Outputs.of(runner.step(seen)).requireSame(begun);
  }

  @Test
  void shouldKeepTheMasksOfAStepOverAPeek() {
    PolicyRunner runner = new PolicyRunner(model().agent(), ENVIRONMENTS);
    boolean[] onlyLast = new boolean[ENVIRONMENTS * 3];
    boolean[] onlyFirst = new boolean[ENVIRONMENTS * 3];
    for (int row = 0; row < ENVIRONMENTS; row++) {
      onlyLast[row * 3 + 2] = true;
      onlyFirst[row * 3] = true;
    }
    NetworkPass pass = runner.step(observations(ENVIRONMENTS, 1), onlyLast);
    runner.peek(observations(ENVIRONMENTS, 2), onlyFirst, 0, ObservationPerturbation.NONE);
    assertThat(runner.rawActions(pass, null, 0)).containsOnly(2);
  }

  @Test
  void shouldKeepThePassOfAStepOverPeeksAndTheNextStep() {
    PolicyRunner runner = new PolicyRunner(model().agent(), ENVIRONMENTS);
    runner.step(observations(ENVIRONMENTS, 1));
    NetworkPass pass = runner.step(observations(ENVIRONMENTS, 2));
    Outputs then = Outputs.of(pass);
    runner.peek(
        observations(ENVIRONMENTS, 3), SequenceInput.NO_MASKS, 0, ObservationPerturbation.NONE);
    Outputs.of(pass).requireSame(then);
    runner.peek(
        observations(ENVIRONMENTS, 4), SequenceInput.NO_MASKS, 0, ObservationPerturbation.NONE);
    runner.step(observations(ENVIRONMENTS, 5));
    Outputs.of(pass).requireSame(then);
  }

  @Test
  void shouldTakeItsRowsOfTheObservations() {
    ActingModel agent = model().agent();
    float[] all = observations(ENVIRONMENTS, 6);
    Outputs whole = Outputs.of(new PolicyRunner(agent, ENVIRONMENTS).step(all));
    Outputs two =
        Outputs.of(
            new PolicyRunner(agent, 2)
                .step(all, SequenceInput.NO_MASKS, 1, ObservationPerturbation.NONE));
    for (int row = 0; row < 2; row++) {
      assertThat(two.values()[row]).containsExactly(whole.values()[row + 1], within(1e-6f));
    }
    Outputs changed =
        Outputs.of(
            new PolicyRunner(agent, 2)
                .step(all, SequenceInput.NO_MASKS, 1, seen -> new float[2][SIZE]));
    assertThat(changed.values()[0]).isEqualTo(changed.values()[1]);
    assertThat(changed.values()[0]).isNotEqualTo(two.values()[0]);
  }

  @Test
  void shouldActWithTheModeOrWithTheStreamOfEachEnvironment() {
    ActingModel agent = model().agent();
    PolicyRunner runner = new PolicyRunner(agent, ENVIRONMENTS);
    NetworkPass pass = runner.step(observations(ENVIRONMENTS, 6));
    float[] modes = runner.rawActions(pass, null, 0);
    float[] drawn = runner.rawActions(pass, RandomStream.array(9, "action", 6), 2);
    RandomStream[] streams = RandomStream.array(9, "action", 6);
    for (int row = 0; row < ENVIRONMENTS; row++) {
      float[] logits = pass.actions()[row];
      int best = 0;
      for (int action = 1; action < logits.length; action++) {
        best = logits[action] > logits[best] ? action : best;
      }
      assertThat(modes[row]).isEqualTo(best);
      float[] expected = new float[1];
      PolicyDistribution policy = pass.policy();
      pass.set(policy, row);
      policy.sample(streams[2 + row], expected, 0);
      assertThat(drawn[row]).isEqualTo(expected[0]);
      float[] values = pass.values()[row]; // of each critic five quantiles and a mean
      assertThat(runner.value(pass, row))
          .as("lower mean")
          .isEqualTo(Math.min(values[5], values[11]));
    }
  }

  @Test
  void shouldContinueToTheBitFromASavedState() {
    ActingModel agent = model("network.layers=2").agent();
    PolicyRunner runner = new PolicyRunner(agent, ENVIRONMENTS);
    runner.step(observations(ENVIRONMENTS, 1));
    runner.step(observations(ENVIRONMENTS, 2));
    runner.start(3);
    StateMap state = new StateMap();
    runner.save(state);
    PolicyRunner restored = new PolicyRunner(agent, ENVIRONMENTS);
    restored.load(state);
    for (int time = 3; time < 6; time++) {
      Outputs expected = Outputs.of(runner.step(observations(ENVIRONMENTS, time)));
      Outputs.of(restored.step(observations(ENVIRONMENTS, time))).requireSame(expected);
    }
  }

  /** What a runner computed in an episode, with actions and values. */
  private static List<Double> play(ActingModel agent, int seed) {
    PolicyRunner runner = new PolicyRunner(agent, ENVIRONMENTS);
    RandomStream[] streams = RandomStream.array(seed, "action", ENVIRONMENTS);
    List<Double> numbers = new ArrayList<>();
    for (int time = 0; time < 100; time++) {
      NetworkPass pass = runner.step(observations(ENVIRONMENTS, 100 * seed + time));
      float[] actions = runner.rawActions(pass, streams, 0);
      for (int environment = 0; environment < ENVIRONMENTS; environment++) {
        numbers.add((double) actions[environment]);
        numbers.add(runner.value(pass, environment));
        for (float output : pass.values()[environment]) {
          numbers.add((double) output);
        }
      }
      runner.start(time % ENVIRONMENTS);
    }
    return numbers;
  }

  @Test
  @Requirement("ENV-3")
  void shouldGiveTheSameBitsInSeveralThreads() throws InterruptedException, ExecutionException {
    ActingModel agent = model("critic.type=categorical", "critic.atoms=31").agent();
    assertThat(agent.critic()).as("scratch memory is not shared").isNotSameAs(agent.critic());
    int runners = 8;
    List<List<Double>> alone =
        IntStream.range(0, runners).mapToObj(seed -> play(agent, seed)).toList();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<Double>>> together = new ArrayList<>();
      for (int seed = 0; seed < runners; seed++) {
        int own = seed;
        together.add(threads.submit(() -> play(agent, own)));
      }
      for (int seed = 0; seed < runners; seed++) {
        assertThat(together.get(seed).get()).isEqualTo(alone.get(seed));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** A loaded agent changes neither by acting nor by further training of its trainer. */
  @Test
  void shouldStayAsItWasLoaded() {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), "environment.name=CartPole-v1");
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("CartPole-v1"))) {
      trainer.iterate();
      StateMap saved = new StateMap();
      trainer.model().save(saved);
      AgentModel model =
          new AgentModel(config, ObservationSpace.of(4), new ActionSpace.Discrete(2));
      model.load(saved);
      float[] parameters = model.parameters().values().clone();
      float[] seen = {0.1f, -0.2f, 0.03f, 0.4f};
      Outputs first = Outputs.of(new PolicyRunner(model.agent(), 1).step(seen));
      Outputs.of(new PolicyRunner(trainer.agent(), 1).step(seen)).requireSame(first);
      trainer.iterate();
      Outputs trained = Outputs.of(new PolicyRunner(trainer.agent(), 1).step(seen));
      assertThat(trained.values()[0]).isNotEqualTo(first.values()[0]);
      Outputs.of(new PolicyRunner(model.agent(), 1).step(seen)).requireSame(first);
      assertThat(model.parameters().values()).isEqualTo(parameters);
      StateMap again = new StateMap();
      model.save(again);
      assertThat(again.entries()).isEqualTo(saved.entries());
    }
  }
}
