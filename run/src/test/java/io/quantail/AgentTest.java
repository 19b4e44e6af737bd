package io.quantail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.ActionSpace;
import io.quantail.env.tasks.CartPole;
import io.quantail.env.tasks.Pendulum;
import io.quantail.error.AgentFileException;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trained agent: files, acting alone, in batches and in threads, and what is refused. */
class AgentTest {
  private static final int STEPS = 40;

  @TempDir private Path temporary;
  private static Agent agent;
  private static Agent continuous;

  @BeforeAll
  static void train() {
    agent = TrainingTest.cartPole().run().agent();
    continuous =
        TrainingTest.small(Training.of(Pendulum::new)).episodeLimit(30).steps(128).run().agent();
  }

  private static float[] observation(int size, long index) {
    RandomStream random = RandomStream.of(1, "observation", index);
    float[] observation = new float[size];
    for (int i = 0; i < size; i++) {
      observation[i] = (float) random.nextGaussian();
    }
    return observation;
  }

  private static List<String> play(Agent of, int episode) {
    ActingAgent acting = of.acting();
    List<String> decisions = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      float[] observation = observation(of.observationSpace().size(), 1000L * episode + step);
      decisions.add(acting.decide(observation).toString());
    }
    return decisions;
  }

  @Test
  void shouldLoadWhatItSaved() {
    for (Agent saved : List.of(agent, continuous)) {
      Path directory = temporary.resolve("agent");
      saved.save(directory);
      saved.save(directory); // an agent may be replaced
      Agent loaded = Agent.load(directory);

      assertThat(play(loaded, 0)).isEqualTo(play(saved, 0));
      assertThat(loaded.provenance().toJson()).isEqualTo(saved.provenance().toJson());
      assertThat(loaded.actionSpace()).isEqualTo(saved.actionSpace());
      assertThat(loaded.provenance().settings()).isEqualTo(saved.provenance().settings());
    }
    assertThat(agent.actionSpace()).isEqualTo(ActionSpace.discrete(2));
  }

  @Test
  void shouldRefuseFilesThatAreDamagedOfANewerVersionOrNoAgent() throws IOException {
    Path directory = temporary.resolve("agent");
    agent.save(directory);
    for (String name : List.of("state.safetensors", "config.yaml", "spaces.json")) {
      Path file = directory.resolve(name);
      byte[] content = Files.readAllBytes(file);
      byte[] damaged = content.clone();
      damaged[damaged.length / 2] ^= 1;
      Files.write(file, damaged);
      refused(directory, name);
      Files.write(file, Arrays.copyOf(content, content.length - 1));
      refused(directory, name);
      Files.delete(file);
      refused(directory, name);
      Files.write(file, content);
    }
    Path manifest = directory.resolve("manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace("\"steps\"", "\"stept\""));
    refused(directory, "does not match its own sha256");
    refused(temporary.resolve("nowhere"), "does not exist");
    refused(Files.createDirectory(temporary.resolve("empty")), "neither a saved agent nor a run");

    Path other = Files.createDirectory(temporary.resolve("other"));
    Files.writeString(other.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> agent.save(other))
        .isInstanceOf(AgentFileException.class)
        .hasMessageContaining("is not a saved agent; choose another directory");
    assertThat(other.resolve("notes.txt")).exists();
  }

  private static void refused(Path directory, String message) {
    assertThatThrownBy(() -> Agent.load(directory))
        .isInstanceOf(AgentFileException.class)
        .hasMessageContaining(message)
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
  }

  @Test
  void shouldGiveEachRowOfABatchTheNumbersOfItsOwnEpisode() {
    for (Agent acted : List.of(agent, continuous)) {
      for (int episodes : new int[] {1, 3, 4, 7}) {
        ActingBatch batch = acted.acting(episodes);
        ActingAgent[] alone = new ActingAgent[episodes];
        Arrays.setAll(alone, episode -> acted.acting());
        int size = acted.observationSpace().size();
        int actionSize = acted.actionSpace().size();
        float[] observations = new float[episodes * size];
        float[] actions = new float[episodes * actionSize];
        for (int step = 0; step < STEPS; step++) {
          if (step == STEPS / 2) {
            batch.reset(episodes - 1);
            alone[episodes - 1].reset();
          }
          for (int episode = 0; episode < episodes; episode++) {
            System.arraycopy(
                observation(size, 1000L * episode + step), 0, observations, episode * size, size);
          }
          batch.act(observations, actions);
          for (int episode = 0; episode < episodes; episode++) {
            Decision decision =
                alone[episode].decide(
                    Arrays.copyOfRange(observations, episode * size, (episode + 1) * size));
            assertThat(
                    Arrays.copyOfRange(actions, episode * actionSize, (episode + 1) * actionSize))
                .isEqualTo(decision.action().toArray());
            assertThat(batch.forecast(episode).mean()).isEqualTo(decision.forecast().mean());
            assertThat(batch.forecast(episode).cvar(0.05))
                .isEqualTo(decision.forecast().cvar(0.05));
          }
        }
      }
    }
  }

  @Test
  @Requirement("LIB-1")
  void shouldActInEightThreadsAtOnce() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<String>>> played = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int episode = thread;
        played.add(pool.submit(() -> play(agent, episode)));
      }
      for (int thread = 0; thread < 8; thread++) {
        assertThat(played.get(thread).get()).isEqualTo(play(agent, thread));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void shouldContinueAnEpisodeFromItsMemory() {
    ActingAgent first = agent.acting().sampling(5);
    for (int step = 0; step < 10; step++) {
      first.act(observation(4, step));
    }
    ActingAgent second = agent.acting().sampling(5);
    second.restore(first.memory());
    for (int step = 10; step < STEPS; step++) {
      assertThat(second.decide(observation(4, step)))
          .hasToString(first.decide(observation(4, step)).toString());
    }
    assertThatThrownBy(() -> continuous.acting().restore(new byte[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no memory of this agent");
  }

  @Test
  void shouldRefuseObservationsThatAreNotItsOwn() {
    ActingAgent acting = agent.acting();
    String before = acting.decide(observation(4, 0)).toString();
    assertThatThrownBy(() -> acting.act(1, 2, 3, 4, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the agent takes observations of 4 numbers, was given 5");
    assertThatThrownBy(() -> acting.act(1, 2, 3)).hasMessageContaining("was given 3");
    assertThatThrownBy(() -> acting.act(1, Float.NaN, 3, 4))
        .hasMessage("velocity must be finite, was NaN");
    assertThatThrownBy(() -> agent.acting(2).act(new float[4], new float[2]))
        .hasMessageContaining("2 observations of 4 numbers, 8 in all; was given 4");
    assertThatThrownBy(() -> agent.acting(2).act(new float[8], new float[3]))
        .hasMessageContaining("need an array of 2, was 3");
    acting.reset();
    assertThat(acting.decide(observation(4, 0))).hasToString(before);
  }

  @Test
  void shouldTakeAllowedActionsOnly() {
    ActingAgent acting = agent.acting();
    for (int step = 0; step < STEPS; step++) {
      boolean[] allowed = {step % 2 == 0, step % 2 == 1};
      Decision decision = acting.decide(observation(4, step), allowed);
      assertThat(decision.action().index()).isEqualTo(step % 2);
      assertThat(decision.probability(1 - step % 2)).isZero();
      assertThat(decision.probability(step % 2)).isEqualTo(1);
    }
    boolean[] all = {true, true};
    assertThat(agent.acting().decide(observation(4, 0), all))
        .hasToString(agent.acting().decide(observation(4, 0)).toString());
    assertThatThrownBy(() -> acting.act(observation(4, 0), new boolean[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the mask allows no choice; allow at least one");
    assertThatThrownBy(() -> acting.act(observation(4, 0), new boolean[3]))
        .hasMessageContaining("needs masks of 2 flags, was given 3");
  }

  @Test
  void shouldRefuseASecondThreadAtOnce() throws Exception {
    ActingAgent acting = agent.acting();
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                try {
                  while (refusal.get() == null) {
                    acting.act(0, 0, 0, 0);
                  }
                } catch (IllegalStateException refused) {
                  refusal.set(refused);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join(60_000);
    }
    assertThat(refusal.get())
        .hasMessage(
            "two threads use this acting agent at once; give each its own with agent.acting()");
  }

  @Test
  void shouldForecastInTheUnitsOfTheReward() {
    Decision decision = agent.acting().decide(observation(4, 0)).copy();
    ReturnForecast forecast = decision.forecast();
    double middle = forecast.quantile(0.5);
    assertThat(forecast.probabilityBelow(middle)).isBetween(0.49, 0.51);
    assertThat(forecast.cvar(1)).isCloseTo(forecast.mean(), within(1e-3));
    assertThat(forecast.cvar(0.05)).isLessThan(forecast.mean());
    assertThat(forecast.discount()).isEqualTo(0.99);
    assertThat(forecast.disagreement()).isPositive();
    assertThat(forecast).asString().contains("discounted by 0.99", "beyond any time limit");
    assertThat(decision.probability(0) + decision.probability(1)).isCloseTo(1, within(1e-12));
    assertThat(decision.logProbability())
        .isCloseTo(Math.log(decision.probability(decision.action().index())), within(1e-12));
    assertThatThrownBy(() -> continuous.acting().decide(observation(3, 0)).probability(0))
        .isInstanceOf(IllegalStateException.class);
  }

  /**
   * Counts, not times. The compiler of the JVM now and then allocates for a call that it replaces,
   * and before it has compiled the vector code each decision allocates: of several hundred
   * decisions at a time the least is taken, after at most 1,000 such windows.
   */
  @Test
  @Requirement("LIB-1")
  void shouldAllocateNothingPerDecision() {
    for (Agent acted : List.of(agent, continuous)) {
      float[] observation = observation(acted.observationSpace().size(), 0);
      float[] many = new float[3 * observation.length];
      float[] actions = new float[3 * acted.actionSpace().size()];
      ActingAgent likely = acted.acting();
      ActingAgent drawn = acted.acting().sampling(3);
      ActingBatch batch = acted.acting(3);
      requireNoAllocation(likely::reset);
      requireNoAllocation(() -> likely.act(observation));
      requireNoAllocation(() -> drawn.act(observation));
      requireNoAllocation(() -> batch.act(many, actions));
      requireNoAllocation(
          () -> {
            Decision decision = drawn.decide(observation);
            decision.forecast().cvar(0.05);
            decision.forecast().quantile(0.5);
            decision.forecast().disagreement();
          });
    }
  }

  private static void requireNoAllocation(Runnable decision) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int window = 0; window < 1000 && least > 0; window++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 300; i++) {
        decision.run();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isZero();
  }

  private static org.assertj.core.data.Offset<Double> within(double distance) {
    return org.assertj.core.data.Offset.offset(distance);
  }

  @Test
  void shouldEvaluateAsTheTrainingDid() {
    TrainingResult result = TrainingTest.cartPole().run();
    Evaluation again = Evaluation.of(result.agent(), CartPole::new).run();
    assertThat(again.returns()).isEqualTo(result.evaluation().orElseThrow().returns());
    Evaluation more = Evaluation.of(agent, CartPole::new).episodes(20).seed(4).sampled().run();
    assertThat(more.episodes()).isEqualTo(20);
    assertThat(more.interval(0.95)[0]).isLessThan(more.mean());
    assertThat(more.cvar(0.2)).isLessThanOrEqualTo(more.mean());
    assertThat(more.quantile(0)).isEqualTo(Arrays.stream(more.returns()).min().orElseThrow());
    int[] lengths = Evaluation.of(agent, CartPole::new).episodeLimit(5).run().lengths();
    assertThat(Arrays.stream(lengths).max()).hasValue(5);
  }
}
