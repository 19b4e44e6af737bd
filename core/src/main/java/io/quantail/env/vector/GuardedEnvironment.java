package io.quantail.env.vector;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a user's environment and turns contract violations into an {@link EnvironmentException}
 * that names environment, episode and step.
 */
public final class GuardedEnvironment implements AutoCloseable {
  private static final String ADVICE = "; correct the environment (EnvironmentChecker helps)";

  private final Environment environment;
  private final int index;
  private final ObservationSpace observationSpace;
  private final ActionSpace actionSpace;
  private final boolean[] mask; // of the present observation
  private final float[] numbers; // of the present action
  private final Action action; // shows them
  private long episode;
  private int step;
  private boolean running;

  /**
   * @param index index of the environment in the vector, for messages
   */
  public GuardedEnvironment(Environment environment, int index) {
    this.environment = environment;
    this.index = index;
    this.observationSpace = environment.observationSpace();
    this.actionSpace = environment.actionSpace();
    this.numbers = new float[actionSpace.size()];
    this.action = Action.view(actionSpace, numbers);
    this.mask = new boolean[masks(environment) ? actionSpace.maskSize() : 0];
  }

  /**
   * Whether an environment can forbid actions: whether it overrides {@link Environment#allowed}.
   */
  static boolean masks(Environment environment) {
    Class<?> declaring;
    try {
      declaring = environment.getClass().getMethod("allowed", boolean[].class).getDeclaringClass();
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
    if (declaring == EnvironmentWrapper.class) {
      return masks(((EnvironmentWrapper) environment).wrapped());
    }
    return declaring != Environment.class && environment.actionSpace().maskSize() > 0;
  }

  /**
   * The allowed choices of the present observation, live; empty if the environment never forbids
   * one.
   */
  public boolean[] mask() {
    return mask;
  }

  /** Starts an episode and returns its first observation. */
  public float[] reset(long newEpisode, RandomStream random) {
    episode = newEpisode;
    step = 0;
    running = false;
    float[] observation = checked(call("reset", () -> environment.reset(random)));
    readMask();
    running = true;
    return observation;
  }

  /**
   * Executes one action.
   *
   * @param actions contains the action
   * @param offset index of its first number
   * @throws IllegalStateException before the first reset, after the end of an episode and after a
   *     failure
   */
  public Step step(float[] actions, int offset) {
    if (!running) {
      throw new IllegalStateException(located("no episode is running; call reset before step"));
    }
    running = false; // until the step succeeds
    step++;
    System.arraycopy(actions, offset, numbers, 0, numbers.length);
    Step result;
    try {
      result = environment.step(action); // no lambda: this runs once per step of training
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed("step", thrown);
    }
    if (result == null) {
      throw broken("step returned null" + ADVICE);
    }
    checked(result.observation());
    if (!Double.isFinite(result.reward())) {
      throw broken("reward was " + result.reward() + ", must be finite" + ADVICE);
    }
    if (!result.done()) {
      readMask();
      running = true;
    }
    return result;
  }

  /** See {@link Environment#snapshot}. */
  public double @Nullable [] snapshot() {
    try {
      return environment.snapshot();
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed("snapshot", thrown);
    }
  }

  /** See {@link Environment#restore}. */
  public void restore(long savedEpisode, int savedLength, double[] state, RandomStream random) {
    episode = savedEpisode;
    step = savedLength;
    running = false;
    call(
        "restore",
        () -> {
          environment.restore(state, random);
          return null;
        });
    readMask();
    running = true;
  }

  /** Asks for the allowed choices; the mask always belongs to the latest observation. */
  private void readMask() {
    if (mask.length == 0) {
      return;
    }
    Arrays.fill(mask, true);
    try {
      environment.allowed(mask);
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed("allowed", thrown);
    }
    int part = actionSpace.partWithoutChoice(mask, 0);
    if (part >= 0) {
      throw broken(
          "allowed forbade every choice of %s, must leave at least one%s"
              .formatted(
                  actionSpace.parts().size() == 1
                      ? "the action"
                      : "part " + part + " of the action",
                  ADVICE));
    }
  }

  @Override
  public void close() {
    environment.close();
  }

  private float[] checked(float[] observation) {
    if (observation == null) {
      throw broken("observation was null" + ADVICE);
    }
    if (observation.length != observationSpace.size()) {
      throw broken(
          String.format(
              Locale.ROOT,
              "observation had %d components, must have %d%s",
              observation.length,
              observationSpace.size(),
              ADVICE));
    }
    for (int i = 0; i < observation.length; i++) {
      if (!Float.isFinite(observation[i])) {
        throw broken(
            observationSpace.name(i) + " was " + observation[i] + ", must be finite" + ADVICE);
      }
    }
    return observation;
  }

  private <T> T call(String method, Supplier<T> code) {
    try {
      return code.get();
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed(method, thrown);
    }
  }

  private EnvironmentException failed(String method, Throwable thrown) {
    if (thrown instanceof EnvironmentException known) { // it names its cause and a remedy
      return new EnvironmentException(
          located(Objects.toString(known.getMessage())), known, known.kind());
    }
    String what = thrown.toString().replaceAll("\\s+", " ");
    return new EnvironmentException(located(method + " threw " + what + ADVICE), thrown);
  }

  private EnvironmentException broken(String what) {
    return new EnvironmentException(located(what));
  }

  private String located(String what) {
    return String.format(
        Locale.ROOT, "environment %d, episode %d, step %d: %s", index, episode, step, what);
  }
}
