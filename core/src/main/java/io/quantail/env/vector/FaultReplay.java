package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.random.RandomStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Replays a {@link FaultRecording} to reproduce the failure of an environment. */
public final class FaultReplay {
  private final FaultRecording recording;
  private final EnvironmentCreator maker;
  private final @Nullable Double deadlineSeconds;
  private @Nullable GuardedEnvironment environment;

  private FaultReplay(
      FaultRecording recording, EnvironmentFactory factory, @Nullable Double deadlineSeconds) {
    this.recording = recording;
    this.maker = new EnvironmentCreator(factory);
    this.deadlineSeconds = deadlineSeconds;
  }

  /**
   * Creates an environment, restores the state before the recording and repeats its actions.
   *
   * @param deadlineSeconds time after which a call counts as hung; null for no deadline
   * @return the failure of this replay; empty if there was none
   */
  public static Optional<String> play(
      FaultRecording recording, EnvironmentFactory factory, @Nullable Double deadlineSeconds) {
    return new FaultReplay(recording, factory, deadlineSeconds).play();
  }

  private Optional<String> play() {
    try (CallRunner runner = CallRunner.of(deadlineSeconds)) {
      Optional<String> failure = call(runner, "reset", 0, this::begin);
      for (int i = 0; i < recording.length() && failure.isEmpty(); i++) {
        int first = i * recording.actionSize();
        failure = call(runner, "step", i + 1, () -> step(first));
      }
      return failure;
    }
  }

  private void begin() {
    environment =
        new GuardedEnvironment(maker.another(recording.environment()), recording.environment());
    RandomStream random = recording.stream();
    if (recording.state().length == 0) {
      environment.reset(recording.episode(), random);
    } else {
      environment.restore(recording.episode(), 0, recording.state(), random);
    }
  }

  private void step(int first) {
    Objects.requireNonNull(environment).step(recording.actions(), first);
  }

  private Optional<String> call(CallRunner runner, String method, int action, Runnable code) {
    Call call = new Call(code);
    runner.run(List.of(call));
    if (call.abandoned) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "environment %d, episode %d, action %d of the recording: %s",
              recording.environment(),
              recording.episode(),
              action,
              RestartPolicy.overdue(method, Objects.requireNonNull(deadlineSeconds))));
    }
    return Optional.ofNullable(call.failure).map(EnvironmentException::getMessage);
  }

  private static final class Call implements CallRunner.Task {
    private final Runnable code;
    private @Nullable EnvironmentException failure;
    private boolean abandoned;

    Call(Runnable code) {
      this.code = code;
    }

    @Override
    public void run() {
      try {
        code.run();
      } catch (EnvironmentException thrown) {
        failure = thrown;
      }
    }

    @Override
    public void abandon() {
      abandoned = true;
    }
  }
}
