package io.quantail.env.vector;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One environment of a {@link VectorEnvironment} with its episodes and its rows of the shared
 * arrays.
 */
final class EnvironmentSlot implements AutoCloseable {
  private static final int HEADER = 4;
  private static final double[] NO_STATE = {};

  /**
   * Settings and arrays shared by all slots of a vector.
   *
   * @param seed of the run
   * @param count number of environments
   */
  record Shared(long seed, int count, VectorEnvironment.Buffers buffers, RestartPolicy restarts) {}

  private final int index;
  private final int observationSize;
  private final Shared shared;
  private final VectorEnvironment.Buffers buffers;
  private final FaultHistory faults;
  private final ActionRecorder actions;
  private final List<EpisodeSummary> finished = new ArrayList<>();
  private GuardedEnvironment environment;
  private long nextEpisode;
  private @Nullable RandomStream random;
  private double[] origin = NO_STATE; // state before the first recorded action
  private long originPosition;
  private int length;
  private double totalReward;
  private Map<String, Double> info = Map.of();
  private boolean running;
  private boolean lost; // hangs; closing it could hang too

  EnvironmentSlot(Environment environment, int index, Shared shared) {
    this.environment = new GuardedEnvironment(environment, index);
    this.index = index;
    this.observationSize = environment.observationSpace().size();
    this.shared = shared;
    this.buffers = shared.buffers();
    this.faults = new FaultHistory();
    this.actions = new ActionRecorder(environment.actionSpace().size());
  }

  void reset() {
    forgetLastStep();
    running = false;
    GuardedEnvironment present = environment;
    EnvironmentCall turn = EnvironmentCall.start(() -> present, nextEpisode, nextStream());
    shared.restarts().run(List.of(turn));
    take(turn);
  }

  /** Steps the environment in the calling thread. */
  void step(float[] numbers, int offset) {
    startStep(numbers, offset);
    Step answer;
    try {
      answer = environment.step(numbers, offset);
    } catch (EnvironmentException thrown) {
      take(EnvironmentCall.failedStep(nextEpisode, thrown));
      return;
    }
    if (answer.done()) {
      EnvironmentCall turn =
          EnvironmentCall.afterEnd(environment, answer, nextEpisode, nextStream());
      turn.run();
      take(turn);
    } else {
      forgetLastStep();
      show(answer);
      running = true;
    }
  }

  /** Prepares a step that another thread may run; {@link #take} stores its results. */
  EnvironmentCall prepare(float[] numbers, int offset) {
    startStep(numbers, offset);
    float[] action = Arrays.copyOfRange(numbers, offset, offset + actions.actionSize());
    return EnvironmentCall.step(environment, action, nextEpisode, nextStream());
  }

  private void startStep(float[] numbers, int offset) {
    requireRunning();
    running = false; // until the step succeeds; after a failure until the next reset
    actions.add(numbers, offset);
    length++;
  }

  /** Stores the results of a call; replaces an environment that failed, or ends the run. */
  void take(EnvironmentCall turn) {
    forgetLastStep();
    Step answer = turn.answer(); // read once: an abandoned call may still write it
    if (answer != null) {
      show(answer);
    }
    boolean inStep = turn.isStep() && (answer == null || !answer.done());
    if (turn.failed()) {
      if (inStep) {
        truncate();
      }
      begin(replacement(turn, inStep));
    } else if (inStep) {
      running = true;
    } else {
      begin(turn);
    }
  }

  private void show(Step step) {
    totalReward += step.reward();
    info = step.info();
    buffers.rewards()[index] = step.reward();
    buffers.terminated()[index] = step.isTerminated();
    buffers.truncated()[index] = step.isTruncated() && !step.isTerminated();
    if (step.done()) {
      show(step.observation(), buffers.terminalObservations());
      finished.add(new EpisodeSummary(index, totalReward, length, buffers.truncated()[index]));
    } else {
      show(step.observation(), buffers.observations());
      showMask();
    }
  }

  /**
   * Truncates the episode at its last observation: a failed environment counts as truncated, never
   * as terminated.
   */
  private void truncate() {
    int row = index * observationSize;
    System.arraycopy(
        buffers.observations(), row, buffers.terminalObservations(), row, observationSize);
    buffers.truncated()[index] = true;
    buffers.faulted()[index] = true;
  }

  /** Starts new environments until one of them completes its reset. */
  private EnvironmentCall replacement(EnvironmentCall failed, boolean inStep) {
    EnvironmentCall turn = failed;
    for (int attempt = 1; turn.failed(); attempt++) {
      EnvironmentFault fault = attempt == 1 && inStep ? faultInStep(turn) : faultInReset(turn);
      faults.add(fault);
      lost = turn.abandoned();
      nextEpisode = Math.max(nextEpisode, fault.recording().episode() + 1);
      shared.restarts().grant(fault, turn.failure(), attempt);
      GuardedEnvironment old = lost ? null : environment;
      turn =
          EnvironmentCall.start(
              () -> shared.restarts().replace(old, index), nextEpisode, nextStream());
      shared.restarts().run(List.of(turn));
    }
    lost = false;
    return turn;
  }

  private EnvironmentFault faultInStep(EnvironmentCall turn) {
    FaultRecording recording =
        new FaultRecording(
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
    return fault(turn, recording, length, "step");
  }

  private EnvironmentFault faultInReset(EnvironmentCall turn) {
    FaultRecording recording =
        new FaultRecording(
            shared.seed(),
            shared.count(),
            index,
            faults.total(),
            turn.nextEpisode(),
            NO_STATE,
            0,
            actions.actionSize(),
            new float[0],
            true);
    return fault(turn, recording, 0, "reset");
  }

  private EnvironmentFault fault(
      EnvironmentCall turn, FaultRecording recording, int step, String method) {
    String message =
        turn.abandoned()
            ? "environment %d, episode %d, step %d: %s"
                .formatted(index, recording.episode(), step, shared.restarts().overdue(method))
            : Objects.requireNonNull(turn.failure()).getMessage();
    EnvironmentException.Kind kind =
        turn.abandoned()
            ? EnvironmentException.Kind.TIMEOUT
            : Objects.requireNonNull(turn.failure()).kind();
    return new EnvironmentFault(kind, index, recording.restart(), message, recording);
  }

  /** Starts an episode with the results of a reset. */
  private void begin(EnvironmentCall turn) {
    environment = Objects.requireNonNull(turn.environment());
    nextEpisode = turn.nextEpisode() + 1;
    random = turn.random();
    length = 0;
    totalReward = 0;
    recordFrom(NO_STATE, 0);
    show(Objects.requireNonNull(turn.first()), buffers.observations());
    showMask();
    running = true;
  }

  private void recordFrom(double[] state, long position) {
    origin = state;
    originPosition = position;
    actions.clear();
  }

  Map<String, Double> info() {
    return info;
  }

  /** Sum of the rewards of the running episode so far. */
  double runningReward() {
    return totalReward;
  }

  void drainEpisodesInto(List<EpisodeSummary> episodes) {
    episodes.addAll(finished);
    finished.clear();
  }

  FaultHistory faults() {
    return faults;
  }

  /** Number of episodes started so far. */
  long episodesBegun() {
    return nextEpisode;
  }

  /** Restores the number of episodes started so far. */
  void restoreEpisodes(long begun) {
    nextEpisode = begun;
  }

  /** The state of the running episode, to be given to {@link #snapshot}; null if it has none. */
  double @Nullable [] state() {
    requireRunning();
    if (!finished.isEmpty()) {
      throw new IllegalStateException(
          "environment %d has %d unreported episodes; call drainEpisodes before snapshot"
              .formatted(index, finished.size()));
    }
    return environment.snapshot();
  }

  /**
   * Episode, length, reward so far and position of the random stream, then the observation, then
   * the state of the environment.
   */
  double[] snapshot(double[] state) {
    double[] snapshot = new double[HEADER + observationSize + state.length];
    snapshot[0] = nextEpisode - 1;
    snapshot[1] = length;
    snapshot[2] = totalReward;
    snapshot[3] = Objects.requireNonNull(random).position();
    for (int i = 0; i < observationSize; i++) {
      snapshot[HEADER + i] = buffers.observations()[index * observationSize + i];
    }
    System.arraycopy(state, 0, snapshot, HEADER + observationSize, state.length);
    // Recordings start here, so that they are the same in a run that resumes from this snapshot.
    recordFrom(state, Objects.requireNonNull(random).position());
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
    RandomStream fresh =
        EpisodeSeeds.stream(shared.seed(), faults.total(), shared.count(), index, episode);
    random = RandomStream.restore(fresh.key(), fresh.substream(), (long) snapshot[3]);
    double[] state = new double[snapshot.length - HEADER - observationSize];
    System.arraycopy(snapshot, HEADER + observationSize, state, 0, state.length);
    length = (int) snapshot[1];
    environment.restore(episode, length, state, random);
    nextEpisode = episode + 1;
    totalReward = snapshot[2];
    recordFrom(state, (long) snapshot[3]);
    for (int i = 0; i < observationSize; i++) {
      buffers.observations()[index * observationSize + i] = (float) snapshot[HEADER + i];
    }
    showMask();
    running = true;
  }

  @Override
  public void close() {
    if (!lost) {
      environment.close();
    }
  }

  private void forgetLastStep() {
    info = Map.of();
    buffers.rewards()[index] = 0;
    buffers.terminated()[index] = false;
    buffers.truncated()[index] = false;
    buffers.faulted()[index] = false;
  }

  private Supplier<RandomStream> nextStream() {
    long episode = nextEpisode;
    long restart = faults.total();
    return () -> EpisodeSeeds.stream(shared.seed(), restart, shared.count(), index, episode);
  }

  private void show(float @Nullable [] observation, float[] rows) {
    System.arraycopy(observation, 0, rows, index * observationSize, observationSize);
  }

  private void showMask() {
    boolean[] mask = environment.mask();
    System.arraycopy(mask, 0, buffers.masks(), index * mask.length, mask.length);
  }

  private void requireRunning() {
    if (!running) {
      throw new IllegalStateException(
          "environment " + index + " has no running episode; call reset of the vector first");
    }
  }
}
