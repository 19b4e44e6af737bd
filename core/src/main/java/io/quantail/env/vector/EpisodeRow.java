package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The episodes of one environment of a vector: their counts, and its row of the shared arrays. */
class EpisodeRow {
  static final double[] NO_STATE = {};

  /**
   * Settings and arrays shared by all rows of a vector.
   *
   * @param seed of the run
   * @param count number of environments
   */
  record Shared(long seed, int count, VectorEnvironment.Buffers buffers, RestartPolicy restarts) {}

  final int index;
  final int observationSize;
  final Shared shared;
  final VectorEnvironment.Buffers buffers;
  final FaultHistory faults = new FaultHistory();
  final ActionRecorder actions;
  final List<EpisodeSummary> finished = new ArrayList<>();
  long nextEpisode;
  int length;
  double totalReward;
  Map<String, Double> info = Map.of();
  boolean running;
  private double[] origin = NO_STATE; // state before the first recorded action
  private long originPosition;

  EpisodeRow(int index, int observationSize, int actionSize, Shared shared) {
    this.index = index;
    this.observationSize = observationSize;
    this.shared = shared;
    this.buffers = shared.buffers();
    this.actions = new ActionRecorder(actionSize);
  }

  final void startStep(float[] numbers, int offset) {
    requireRunning();
    running = false; // until the step succeeds; after a failure until the next reset
    actions.add(numbers, offset);
    length++;
  }

  /** Stores the results of a step; {@code observation} is copied from {@code offset} on. */
  final void show(
      double reward, boolean terminated, boolean truncated, float[] observation, int offset) {
    totalReward += reward;
    buffers.rewards()[index] = reward;
    buffers.terminated()[index] = terminated;
    buffers.truncated()[index] = truncated && !terminated;
    if (terminated || truncated) {
      show(observation, offset, buffers.terminalObservations());
      finished.add(new EpisodeSummary(index, totalReward, length, buffers.truncated()[index]));
    } else {
      show(observation, offset, buffers.observations());
    }
  }

  private void show(float[] observation, int offset, float[] rows) {
    System.arraycopy(observation, offset, rows, index * observationSize, observationSize);
  }

  /** Stores which choices are allowed at the current observation. */
  final void showMask(boolean[] masks, int offset, int maskSize) {
    System.arraycopy(masks, offset, buffers.masks(), index * maskSize, maskSize);
  }

  /**
   * Truncates the episode at its last observation: a failed environment counts as truncated, never
   * as terminated.
   */
  final void truncate() {
    int row = index * observationSize;
    System.arraycopy(
        buffers.observations(), row, buffers.terminalObservations(), row, observationSize);
    buffers.truncated()[index] = true;
    buffers.faulted()[index] = true;
  }

  /** Starts an episode with its first observation. */
  final void begin(long episode, float[] observation, int offset) {
    nextEpisode = episode + 1;
    length = 0;
    totalReward = 0;
    recordFrom(NO_STATE, 0);
    show(observation, offset, buffers.observations());
    running = true;
  }

  final void recordFrom(double[] state, long position) {
    origin = state;
    originPosition = position;
    actions.clear();
  }

  /** The recording of the running episode, whose last action failed. */
  final FaultRecording recordStep() {
    return new FaultRecording(
        shared.seed(),
        shared.count(),
        index,
        faults.total(),
        nextEpisode - 1,
        origin,
        originPosition,
        actions.actionSize(),
        actions.numbers(),
        actions.complete());
  }

  /** The recording of an episode that failed to start. */
  final FaultRecording recordReset(long episode) {
    return new FaultRecording(
        shared.seed(),
        shared.count(),
        index,
        faults.total(),
        episode,
        NO_STATE,
        0,
        actions.actionSize(),
        new float[0],
        true);
  }

  /** Records a failure; the environment is about to be replaced. */
  final EnvironmentFault fail(
      EnvironmentException.Kind kind, @Nullable String message, FaultRecording recording) {
    EnvironmentFault fault =
        new EnvironmentFault(kind, index, recording.restart(), message, recording);
    faults.add(fault);
    nextEpisode = Math.max(nextEpisode, recording.episode() + 1);
    return fault;
  }

  /** The random stream of the next episode. */
  final Supplier<RandomStream> nextStream() {
    long episode = nextEpisode;
    long restart = faults.total();
    return () -> EpisodeSeeds.stream(shared.seed(), restart, shared.count(), index, episode);
  }

  final void forgetLastStep() {
    info = Map.of();
    buffers.rewards()[index] = 0;
    buffers.terminated()[index] = false;
    buffers.truncated()[index] = false;
    buffers.faulted()[index] = false;
  }

  final void requireRunning() {
    if (!running) {
      throw new IllegalStateException(
          "environment " + index + " has no running episode; call reset of the vector first");
    }
  }

  final Map<String, Double> info() {
    return info;
  }

  /** Sum of the rewards of the running episode so far. */
  final double runningReward() {
    return totalReward;
  }

  final void drainEpisodesInto(List<EpisodeSummary> episodes) {
    episodes.addAll(finished);
    finished.clear();
  }

  final FaultHistory faults() {
    return faults;
  }

  /** Number of episodes started so far. */
  final long episodesBegun() {
    return nextEpisode;
  }

  /** Restores the number of episodes started so far. */
  final void restoreEpisodes(long begun) {
    nextEpisode = begun;
  }
}
