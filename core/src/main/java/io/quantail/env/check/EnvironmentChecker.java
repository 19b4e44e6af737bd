package io.quantail.env.check;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.check.CheckReport.Finding;
import io.quantail.env.check.CheckReport.Rule;
import io.quantail.env.vector.GuardedEnvironment;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests a user's environment against the contract of {@link Environment}.
 *
 * <pre>{@code
 * CheckReport report = EnvironmentChecker.check(index -> new MyEnvironment());
 * assertTrue(report.passed(), report.toString());
 * }</pre>
 *
 * <p>{@code EnvironmentCheckerTest} has one broken environment for each rule.
 */
public final class EnvironmentChecker {
  private static final int EPISODES = 3;
  private static final int DEFAULT_STEPS = 10_000;
  private static final int EXTREME_STEPS = 5;

  private final EnvironmentFactory factory;
  private final int steps;
  private final List<Finding> findings = new ArrayList<>();

  private EnvironmentChecker(EnvironmentFactory factory, int steps) {
    this.factory = factory;
    this.steps = steps;
  }

  /**
   * Checks an environment with episodes of at most 10,000 steps.
   *
   * @param factory creates the environment; called twice
   * @return the findings
   */
  public static CheckReport check(EnvironmentFactory factory) {
    return check(factory, DEFAULT_STEPS);
  }

  /**
   * Checks an environment.
   *
   * @param factory creates the environment; called twice
   * @param steps largest number of steps per episode
   * @return the findings
   */
  public static CheckReport check(EnvironmentFactory factory, int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("steps must be at least 1, was " + steps);
    }
    EnvironmentChecker checker = new EnvironmentChecker(factory, steps);
    checker.run();
    return new CheckReport(checker.findings);
  }

  private void run() {
    try (Environment first = factory.create(0);
        Environment second = factory.create(0)) {
      if (first == null || second == null || first == second) {
        report(Rule.CREATION, "the factory must return a new environment on each call");
        return;
      }
      checkAll(first, second);
    } catch (RuntimeException exception) {
      report(Rule.CREATION, "creating, describing or closing it threw " + exception);
    }
  }

  private void checkAll(Environment first, Environment second) {
    if (!checkSpaces(first)) {
      return;
    }
    ObservationSpace observationSpace = first.observationSpace();
    ActionSpace actionSpace = first.actionSpace();
    try {
      checkDeterminism(first, second);
    } catch (EnvironmentException broken) {
      report(Rule.CONTRACT, broken.getMessage());
      return;
    }
    checkActionBounds(first);
    checkSnapshot(first, second);
    for (Environment used : List.of(first, second)) {
      if (!observationSpace.equals(used.observationSpace())
          || !actionSpace.equals(used.actionSpace())) {
        report(Rule.SPACES, "observation and action space must be constant, but changed");
      }
    }
  }

  private boolean checkSpaces(Environment environment) {
    ObservationSpace observations = environment.observationSpace();
    if (observations == null || observations.size() < 1) {
      report(Rule.SPACES, "the observation space must have at least 1 number, was " + observations);
    }
    if (environment.actionSpace() == null) {
      report(Rule.SPACES, "action space must be Discrete or Box, was null");
    }
    return findings.isEmpty();
  }

  /** Plays each episode in both instances, then all of them again in the used first one. */
  private void checkDeterminism(Environment first, Environment second) {
    List<EpisodeTrace> originals = new ArrayList<>();
    for (int episode = 0; episode < EPISODES; episode++) {
      EpisodeTrace original = play(first, episode);
      compare(original, play(second, episode), "another new instance");
      originals.add(original);
    }
    for (int episode = 0; episode < EPISODES; episode++) {
      compare(originals.get(episode), play(first, episode), "a used instance");
    }
    if (originals.stream().noneMatch(EpisodeTrace::ended)) {
      report(
          Rule.EPISODE_END,
          "no episode ended within %d steps; check with more steps or wrap it in a TimeLimitWrapper"
              .formatted(steps));
    }
  }

  private void compare(EpisodeTrace original, EpisodeTrace replay, String where) {
    original
        .firstDifference(replay)
        .ifPresent(
            at ->
                report(
                    at == 0 ? Rule.RESET_DETERMINISM : Rule.STEP_DETERMINISM,
                    "same stream and actions, but after %d steps %s gave {%s} instead of {%s}; %s"
                        .formatted(
                            at,
                            where,
                            replay.moments().get(at),
                            original.moments().get(at),
                            "draw only from the stream given to reset, and reset everything")));
  }

  private void checkActionBounds(Environment environment) {
    for (boolean highest : new boolean[] {false, true}) {
      GuardedEnvironment guarded = new GuardedEnvironment(environment, 0);
      float[] action = {};
      try {
        guarded.reset(0, episodeStream(0));
        boolean ended = false;
        for (int i = 0; i < EXTREME_STEPS && !ended; i++) {
          action = extreme(environment.actionSpace(), guarded.mask(), highest);
          ended = guarded.step(action, 0).done();
        }
      } catch (EnvironmentException broken) {
        report(
            Rule.ACTION_BOUNDS,
            "the extreme action %s failed: %s"
                .formatted(Arrays.toString(action), broken.getMessage()));
      }
    }
  }

  /** The lowest or highest number, and the first or last allowed choice, of each part. */
  private static float[] extreme(ActionSpace space, boolean[] mask, boolean highest) {
    float[] action = new float[space.size()];
    int first = 0;
    int firstMask = 0;
    for (ActionSpace part : space.parts()) {
      if (part instanceof ActionSpace.Box box) {
        System.arraycopy(highest ? box.high() : box.low(), 0, action, first, box.size());
      } else {
        int choice = highest ? part.maskSize() - 1 : 0;
        while (mask.length > 0 && !mask[firstMask + choice]) {
          choice += highest ? -1 : 1;
        }
        action[first] = choice;
      }
      first += part.size();
      firstMask += part.maskSize();
    }
    return action;
  }

  /** Takes snapshots after none, one and several steps, and continues in both instances. */
  private void checkSnapshot(Environment saved, Environment restored) {
    for (int before : new int[] {0, 1, 7}) {
      try {
        checkSnapshot(saved, restored, before);
      } catch (EnvironmentException broken) {
        report(Rule.SNAPSHOT, broken.getMessage());
        return;
      }
    }
  }

  private void checkSnapshot(Environment saved, Environment restored, int before) {
    ActionSpace space = saved.actionSpace();
    RandomStream stream = episodeStream(0);
    RandomStream actions = actions(0);
    GuardedEnvironment original = new GuardedEnvironment(saved, 0);
    original.reset(0, stream);
    if (before > 0 && EpisodeTrace.follow(original, space, actions, before).ended()) {
      return;
    }
    double[] state = original.snapshot();
    if (state == null) {
      return;
    }
    GuardedEnvironment copy = new GuardedEnvironment(restored, 0);
    copy.restore(0, before, state, copyOf(stream));
    RandomStream sameActions = copyOf(actions);
    EpisodeTrace expected = EpisodeTrace.follow(original, space, actions, steps);
    EpisodeTrace actual = EpisodeTrace.follow(copy, space, sameActions, steps);
    expected
        .firstDifference(actual)
        .ifPresent(
            at ->
                report(
                    Rule.SNAPSHOT,
                    "restored after %d steps, step %d gave {%s} instead of {%s}"
                        .formatted(
                            before,
                            before + at + 1,
                            actual.moments().get(at),
                            expected.moments().get(at))));
  }

  private EpisodeTrace play(Environment environment, int episode) {
    GuardedEnvironment guarded = new GuardedEnvironment(environment, 0);
    float[] first = guarded.reset(episode, episodeStream(episode)).clone();
    return EpisodeTrace.follow(guarded, environment.actionSpace(), actions(episode), steps)
        .after(first);
  }

  private void report(Rule rule, @Nullable String message) {
    // One example per rule is enough.
    if (findings.stream().noneMatch(finding -> finding.rule() == rule)) {
      findings.add(new Finding(rule, message));
    }
  }

  private static RandomStream episodeStream(int episode) {
    return RandomStream.of(0, "checker/episode", episode);
  }

  private static RandomStream actions(int episode) {
    return RandomStream.of(0, "checker/action", episode);
  }

  private static RandomStream copyOf(RandomStream stream) {
    return RandomStream.restore(stream.key(), stream.substream(), stream.position());
  }
}
