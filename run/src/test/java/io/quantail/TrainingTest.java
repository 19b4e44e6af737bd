package io.quantail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.BatchedStep;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import io.quantail.env.tasks.CartPole;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.tasks.Pendulum;
import io.quantail.error.SettingsException;
import io.quantail.run.Ancestor;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunReader;
import io.quantail.run.TrainingSession;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The front door: the loop of the command, listeners, stops, and what is refused. */
class TrainingTest {
  private static final List<String> SMALL =
      List.of(
          "environment.count=2",
          "rollout.steps=32",
          "ppo.batchSize=32",
          "ppo.sequenceLength=16",
          "ppo.epochs=2",
          "network.hidden=8",
          "critic.quantiles=5",
          "evaluation.episodes=4",
          "training.threads=1");
  private static final int UPDATE = 64; // steps

  @TempDir private Path temporary;

  static Training small(Training training) {
    Training small = training;
    for (String setting : SMALL) {
      String[] parts = setting.split("=");
      small = small.set(parts[0], parts[1]);
    }
    return small;
  }

  static Training cartPole() {
    return small(Training.of(CartPole::new)).episodeLimit(30).steps(4 * UPDATE).seed(3);
  }

  @Test
  @Requirement("LIB-1")
  void shouldGiveTheBitsOfTheCommand() {
    TrainingResult result = cartPole().run();

    List<String> settings = new ArrayList<>(SMALL);
    settings.addAll(
        List.of(
            "environment.name=" + CartPole.class.getName(),
            "environment.episodeLimit=30",
            "training.steps=256",
            "seed=3"));
    RunConfig config = YamlConfig.parse("", "run.yaml", settings);
    Path directory = temporary.resolve("command");
    try (TrainingSession command =
        TrainingSession.start(
            config, EnvironmentRegistry.of(config), () -> RunDirectory.create(directory, config))) {
      command.run(List.of());
    }

    Agent same = Agent.load(directory);
    assertThat(result.agent().provenance().fingerprint())
        .isEqualTo(same.provenance().fingerprint());
    assertThat(result.agent().provenance().toJson()).isEqualTo(same.provenance().toJson());
    assertThat(result.steps()).isEqualTo(4 * UPDATE);
    assertThat(result.stop()).isEqualTo(TrainingResult.Stop.STEPS);
    assertThat(result.evaluation().orElseThrow().lengths()).hasSize(4);
  }

  @Test
  void shouldKeepNoFilesWithoutADirectoryAndTheSameAgentWithOne() {
    Agent without = cartPole().run().agent();
    Path directory = temporary.resolve("run");
    Agent with = cartPole().directory(directory).threads(2).run().agent();

    assertThat(with.provenance().fingerprint()).isEqualTo(without.provenance().fingerprint());
    assertThat(Path.of("memory")).doesNotExist();
    assertThat(directory.resolve("metrics.csv")).exists();
    assertThat(Agent.load(directory).provenance().fingerprint())
        .isEqualTo(with.provenance().fingerprint());
  }

  @Test
  void shouldTellListenersInOrder() {
    List<String> calls = new ArrayList<>();
    List<Double> scores = new ArrayList<>();
    TrainingResult result =
        cartPole()
            .evaluateEvery(2 * UPDATE, 3)
            .keepBest()
            .listener(
                new TrainingListener() {
                  @Override
                  public void started(Settings settings) {
                    calls.add("started " + settings.get("seed"));
                  }

                  @Override
                  public void updated(Progress progress) {
                    calls.add("updated " + progress.steps());
                  }

                  @Override
                  public void evaluated(Progress progress, Evaluation evaluation) {
                    calls.add("evaluated " + evaluation.episodes());
                    scores.add(evaluation.mean());
                    assertThat(Evaluation.of(progress.agent(), CartPole::new).run().episodes())
                        .isEqualTo(4);
                  }

                  @Override
                  public void ended(TrainingResult ended) {
                    calls.add("ended " + ended.stop());
                  }
                })
            .run();

    assertThat(calls)
        .containsExactly(
            "started 3",
            "updated 64",
            "updated 128",
            "evaluated 3",
            "updated 192",
            "updated 256",
            "evaluated 3",
            "ended STEPS");
    long best = scores.get(1) > scores.get(0) ? 4 : 2;
    assertThat(result.best().provenance().updates()).isEqualTo(best);
    assertThat(result.agent().provenance().fingerprint())
        .isEqualTo(cartPole().run().agent().provenance().fingerprint());
  }

  @Test
  void shouldStopWhenItIsGoodEnoughAndEvaluate() {
    List<Progress> heard = new ArrayList<>();
    TrainingResult result =
        cartPole().onUpdate(heard::add).stopWhen(progress -> progress.updates() == 2).run();

    assertThat(result.stop()).isEqualTo(TrainingResult.Stop.ENOUGH);
    assertThat(result.steps()).isEqualTo(2 * UPDATE);
    assertThat(result.evaluation()).isPresent();
    assertThat(heard).hasSize(2);
    assertThat(heard.get(1).done()).isEqualTo(0.5);
    assertThat(heard.get(1)).hasToString(heard.get(1).toString()).asString().startsWith(" 50 %");
  }

  @Test
  void shouldResumeAnInterruptedTrainingToTheSameBits() {
    Path directory = temporary.resolve("run");
    TrainingResult interrupted =
        cartPole()
            .directory(directory)
            .onUpdate(
                progress -> {
                  if (progress.updates() == 2) {
                    Thread.currentThread().interrupt();
                  }
                })
            .run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupted.stop()).isEqualTo(TrainingResult.Stop.INTERRUPTED);
    assertThat(interrupted.evaluation()).isEmpty();

    TrainingResult resumed = Training.resume(directory, CartPole::new).run();
    TrainingResult whole = cartPole().directory(temporary.resolve("whole")).run();

    assertThat(resumed.agent().provenance().fingerprint())
        .isEqualTo(whole.agent().provenance().fingerprint());
    assertThat(state(directory)).isEqualTo(state(temporary.resolve("whole")));
    assertThatThrownBy(() -> Training.resume(directory, Pendulum::new).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("the environment observes")
        .hasMessageContaining("but the run was trained to observe");
    assertThatThrownBy(() -> Training.resume(directory, CartPole::new).seed(4))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has the settings of its directory");
  }

  private static String state(Path run) {
    Snapshot snapshot = RunReader.snapshot(run);
    return snapshot.manifest().files().toString();
  }

  /** Shows a side, 0 or 1, drawn from the seed; naming it pays 1. An episode has eight steps. */
  private static final class Sides implements BatchedEnvironment {
    static final int LENGTH = 8;
    private final long[] seeds;
    private final int[] counts;

    Sides(int count) {
      seeds = new long[count];
      counts = new int[count];
    }

    @Override
    public int count() {
      return seeds.length;
    }

    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.named("side");
    }

    @Override
    public ActionSpace actionSpace() {
      return ActionSpace.discrete(2);
    }

    private int side(int row) {
      return (int) (seeds[row] >>> counts[row]) & 1;
    }

    @Override
    public void reset(int row, long seed, BatchedStep rows) {
      seeds[row] = seed;
      counts[row] = 0;
      rows.observation(row, side(row));
    }

    @Override
    public void step(float[] actions, BatchedStep rows) {
      for (int row = 0; row < seeds.length; row++) {
        rows.rewards()[row] = actions[row] == side(row) ? 1 : 0;
        counts[row]++;
        rows.observation(row, side(row));
        rows.terminated()[row] = counts[row] == LENGTH;
      }
    }
  }

  @Test
  @Requirement("SIM-1")
  void shouldTrainInSimulatorsAsInSingleEnvironments() {
    List<Integer> made = Collections.synchronizedList(new ArrayList<>());
    BatchedEnvironmentFactory simulators =
        count -> {
          made.add(count);
          return new Sides(count);
        };
    Training training = small(Training.ofBatch(simulators)).steps(40 * UPDATE).seed(3);
    TrainingResult result = training.set("optimizer.learningRate", 0.01).run();

    assertThat(made).as("one simulator of both episodes").contains(2);
    assertThat(result.steps()).isEqualTo(40 * UPDATE);
    Evaluation evaluation = result.evaluation().orElseThrow();
    assertThat(evaluation.lengths()).containsExactly(8, 8, 8, 8);
    assertThat(evaluation.mean()).as("all sides named").isEqualTo(Sides.LENGTH);
    assertThat(Evaluation.ofIndexed(result.agent(), simulators).episodes(4).run().mean())
        .isEqualTo(Sides.LENGTH);

    Path directory = temporary.resolve("batch");
    String alone =
        small(Training.ofIndexed(simulators::create))
            .steps(40 * UPDATE)
            .seed(3)
            .set("optimizer.learningRate", 0.01)
            .directory(directory)
            .run()
            .agent()
            .provenance()
            .fingerprint();
    assertThat(result.agent().provenance().fingerprint()).isEqualTo(alone);
  }

  @Test
  @Requirement("SIG-2")
  void shouldStartWithTheAgentOfAnotherRun() {
    Path parent = temporary.resolve("parent");
    cartPole().directory(parent).run();
    Path child = temporary.resolve("child");
    // With a learning rate of nearly zero nothing but the ancestor can have made these weights.
    Training still = cartPole().set("optimizer.learningRate", 1e-30).seed(9).steps(UPDATE);
    Agent agent = still.from(parent).directory(child).run().agent();

    StateMap before = RunReader.snapshot(parent).state().child("agent").child("parameters");
    StateMap after = RunReader.snapshot(child).state().child("agent").child("parameters");
    assertThat(after.entries().get("actor.head.weight"))
        .usingRecursiveComparison()
        .isEqualTo(before.entries().get("actor.head.weight"));
    assertThat(Ancestor.read(child))
        .singleElement()
        .satisfies(
            ancestor -> {
              assertThat(ancestor.run()).isEqualTo(parent.toAbsolutePath().toString());
              assertThat(ancestor.steps()).isEqualTo(4 * UPDATE);
            });
    assertThat(still.from(parent).run().agent().provenance().fingerprint())
        .as("without a directory")
        .isEqualTo(agent.provenance().fingerprint())
        .isNotEqualTo(still.run().agent().provenance().fingerprint());

    assertThatThrownBy(() -> cartPole().from(parent).memory(16).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("network.hidden is 16, but the agent of " + parent)
        .hasMessageContaining("or start with new weights");
    assertThatThrownBy(() -> small(Training.ofBatch(Sides::new)).from(parent).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("1 observations instead of 4");
    assertThatThrownBy(() -> cartPole().from(temporary.resolve("none")).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("is not a run");
    assertThatThrownBy(() -> Training.resume(child, CartPole::new).from(parent))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("continues with its own agent");
  }

  @Test
  void shouldRefuseInOneSentence() throws java.io.IOException {
    assertThatThrownBy(() -> cartPole().set("ppo.clipRnage", 0.1))
        .isInstanceOf(SettingsException.class)
        .hasMessage("unknown setting ppo.clipRnage in the settings; did you mean ppo.clipRange?");
    assertThatThrownBy(() -> cartPole().clipRange(Schedule.constant(2)).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("ppo.clipRange must be in (0, 1), was 2");
    assertThatThrownBy(() -> cartPole().keepBest().run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("needs validation passes");
    assertThatThrownBy(() -> small(Training.of(() -> (Environment) null)).run())
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("environment 0 could not be created: the factory returned null");
    assertThatThrownBy(() -> small(Training.of(() -> (Environment) null)).episodeLimit(9).run())
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("the factory returned null");
    Files.writeString(temporary.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> cartPole().directory(temporary).run())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("exists");
  }

  @Test
  void shouldVaryABaseWithoutChangingIt() {
    Training base = cartPole();
    Training other = base.seed(9).learningRate(Schedule.linear(1e-3, 1e-4)).risk(0.1, -5);

    assertThat(base.settings().get("seed")).isEqualTo(3L);
    assertThat(other.settings().get("optimizer.minLearningRate")).isEqualTo(1e-4);
    assertThat(other.settings().get("risk.measure")).isEqualTo("episodes");
    assertThat(other.settings().check().changed()).containsEntry("risk.limit", -5L);
    assertThat(Files.exists(Path.of("memory"))).isFalse();
  }
}
