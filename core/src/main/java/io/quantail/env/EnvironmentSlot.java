package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One place of a {@link VectorEnvironment}: an environment, its episodes, its rows of arrays. */
final class EnvironmentSlot implements AutoCloseable {
  private static final int HEADER = 4;

  private final GuardedEnvironment environment;
  private final int index;
  private final int observationSize;
  private final long seed;
  private final VectorBuffers buffers;
  private final List<Episode> finished = new ArrayList<>();
  private long nextEpisode;
  private RandomStream random;
  private double totalReward;
  private Map<String, Double> info = Map.of();
  private boolean running;

  EnvironmentSlot(Environment environment, int index, long seed, VectorBuffers buffers) {
    this.environment = new GuardedEnvironment(environment, index);
    this.index = index;
    this.observationSize = environment.observationSize();
    this.seed = seed;
    this.buffers = buffers;
  }

  void reset() {
    forgetLastStep();
    beginEpisode();
  }

  void step(float[] action) {
    requireRunning();
    running = false; // stays so if the environment fails, until the next reset
    Step step = environment.step(action);
    totalReward += step.reward();
    info = step.info();
    buffers.rewards()[index] = step.reward();
    buffers.terminated()[index] = step.terminated();
    buffers.truncated()[index] = step.truncated() && !step.terminated();
    if (step.done()) {
      show(step.observation(), buffers.terminalObservations());
      finished.add(
          new Episode(index, totalReward, environment.length(), buffers.truncated()[index]));
      beginEpisode();
    } else {
      show(step.observation(), buffers.observations());
      running = true;
    }
  }

  Map<String, Double> info() {
    return info;
  }

  void drainEpisodesInto(List<Episode> episodes) {
    episodes.addAll(finished);
    finished.clear();
  }

  boolean supportsSnapshot() {
    return environment.supportsSnapshot();
  }

  /** Episode, length, reward so far, position of the random stream; observation; environment. */
  double[] snapshot() {
    requireRunning();
    if (!finished.isEmpty()) {
      throw new IllegalStateException(
          "environment %d has %d unreported episodes; call drainEpisodes before snapshot"
              .formatted(index, finished.size()));
    }
    double[] state = environment.snapshot();
    double[] snapshot = new double[HEADER + observationSize + state.length];
    snapshot[0] = environment.episode();
    snapshot[1] = environment.length();
    snapshot[2] = totalReward;
    snapshot[3] = random.position();
    for (int i = 0; i < observationSize; i++) {
      snapshot[HEADER + i] = buffers.observations()[index * observationSize + i];
    }
    System.arraycopy(state, 0, snapshot, HEADER + observationSize, state.length);
    return snapshot;
  }

  void restore(double[] snapshot) {
    if (snapshot.length < HEADER + observationSize) {
      throw new IllegalArgumentException(
          "snapshot of environment %d must have at least %d numbers, had %d"
              .formatted(index, HEADER + observationSize, snapshot.length));
    }
    forgetLastStep();
    finished.clear();
    running = false;
    long episode = (long) snapshot[0];
    RandomStream fresh = stream(episode);
    random = RandomStream.restore(fresh.key(), fresh.substream(), (long) snapshot[3]);
    double[] state = new double[snapshot.length - HEADER - observationSize];
    System.arraycopy(snapshot, HEADER + observationSize, state, 0, state.length);
    environment.restore(episode, (int) snapshot[1], state, random);
    nextEpisode = episode + 1;
    totalReward = snapshot[2];
    for (int i = 0; i < observationSize; i++) {
      buffers.observations()[index * observationSize + i] = (float) snapshot[HEADER + i];
    }
    running = true;
  }

  @Override
  public void close() {
    environment.close();
  }

  private void forgetLastStep() {
    info = Map.of();
    buffers.rewards()[index] = 0;
    buffers.terminated()[index] = false;
    buffers.truncated()[index] = false;
  }

  private void beginEpisode() {
    running = false;
    totalReward = 0;
    long episode = nextEpisode++;
    random = stream(episode);
    show(environment.reset(episode, random), buffers.observations());
    running = true;
  }

  private RandomStream stream(long episode) {
    return RandomStream.of(seed, "environment/" + index, episode);
  }

  private void show(float[] observation, float[] rows) {
    System.arraycopy(observation, 0, rows, index * observationSize, observationSize);
  }

  private void requireRunning() {
    if (!running) {
      throw new IllegalStateException(
          "environment " + index + " has no running episode; call reset of the vector first");
    }
  }
}
