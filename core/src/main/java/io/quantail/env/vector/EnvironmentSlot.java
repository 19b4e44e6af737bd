package io.quantail.env.vector;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One environment of a {@link VectorEnvironment} with its episodes and its rows of the shared
 * arrays.
 */
final class EnvironmentSlot extends EpisodeRow implements VectorPart {
  private static final int HEADER = 4;

  private final EnvironmentCreator maker;
  private GuardedEnvironment environment;
  private @Nullable RandomStream random;
  private @Nullable EnvironmentCall prepared;
  private boolean lost; // hangs; closing it could hang too

  EnvironmentSlot(EnvironmentCreator maker, Environment environment, int index, Shared shared) {
    super(index, environment.observationSpace().size(), environment.actionSpace().size(), shared);
    this.maker = maker;
    this.environment = new GuardedEnvironment(environment, index);
  }

  @Override
  public int first() {
    return index;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public void reset() {
    forgetLastStep();
    running = false;
    GuardedEnvironment present = environment;
    EnvironmentCall turn = EnvironmentCall.start(() -> present, nextEpisode, nextStream());
    shared.restarts().run(List.of(turn));
    take(turn);
  }

  @Override
  public void step(float[] numbers, int offset) {
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

  @Override
  public EnvironmentCall prepare(float[] numbers, int offset) {
    startStep(numbers, offset);
    float[] action = Arrays.copyOfRange(numbers, offset, offset + actions.actionSize());
    prepared = EnvironmentCall.step(environment, action, nextEpisode, nextStream());
    return prepared;
  }

  @Override
  public void take() {
    take(Objects.requireNonNull(prepared));
  }

  /** Stores the results of a call; replaces an environment that failed, or ends the run. */
  private void take(EnvironmentCall turn) {
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
    info = step.info();
    show(step.reward(), step.isTerminated(), step.isTruncated(), step.observation(), 0);
    if (!step.done()) {
      showMask();
    }
  }

  /** Starts new environments until one of them completes its reset. */
  private EnvironmentCall replacement(EnvironmentCall failed, boolean inStep) {
    EnvironmentCall turn = failed;
    for (int attempt = 1; turn.failed(); attempt++) {
      EnvironmentFault fault = attempt == 1 && inStep ? faultInStep(turn) : faultInReset(turn);
      lost = turn.abandoned();
      shared.restarts().grant(fault, turn.failure(), attempt);
      GuardedEnvironment old = lost ? null : environment;
      turn = EnvironmentCall.start(() -> maker.replace(old, index), nextEpisode, nextStream());
      shared.restarts().run(List.of(turn));
    }
    lost = false;
    return turn;
  }

  private EnvironmentFault faultInStep(EnvironmentCall turn) {
    return fault(turn, recordStep(), length, "step");
  }

  private EnvironmentFault faultInReset(EnvironmentCall turn) {
    return fault(turn, recordReset(turn.nextEpisode()), 0, "reset");
  }

  private EnvironmentFault fault(
      EnvironmentCall turn, FaultRecording recording, int step, String method) {
    String message =
        turn.abandoned()
            ? String.format(
                Locale.ROOT,
                "environment %d, episode %d, step %d: %s",
                index,
                recording.episode(),
                step,
                shared.restarts().overdue(method))
            : Objects.requireNonNull(turn.failure()).getMessage();
    EnvironmentException.Kind kind =
        turn.abandoned()
            ? EnvironmentException.Kind.TIMEOUT
            : Objects.requireNonNull(turn.failure()).kind();
    return fail(kind, message, recording);
  }

  /** Starts an episode with the results of a reset. */
  private void begin(EnvironmentCall turn) {
    environment = Objects.requireNonNull(turn.environment());
    random = turn.random();
    begin(turn.nextEpisode(), Objects.requireNonNull(turn.first()), 0);
    showMask();
  }

  @Override
  public double @Nullable [] state() {
    requireRunning();
    if (!finished.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "environment %d has %d unreported episodes; call drainEpisodes before snapshot",
              index,
              finished.size()));
    }
    return environment.snapshot();
  }

  /**
   * Episode, length, reward so far and position of the random stream, then the observation, then
   * the state of the environment.
   */
  @Override
  public double[] snapshot(double[] state) {
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

  @Override
  public void restore(double[] snapshot) {
    if (snapshot.length < HEADER + observationSize) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "snapshot of environment %d must have at least %d numbers, had %d",
              index,
              HEADER + observationSize,
              snapshot.length));
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

  private void showMask() {
    boolean[] mask = environment.mask();
    showMask(mask, 0, mask.length);
  }
}
