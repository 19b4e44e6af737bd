package io.quantail.env.check;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironmentFactory;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tests a user's environment against the contract of {@link Environment}.
 *
 * <pre>{@code
 * EnvironmentChecker.require(index -> new MyEnvironment()); // in a test of your own
 * System.out.println(EnvironmentChecker.check(index -> new MyEnvironment())); // with warnings
 * }</pre>
 *
 * <p>{@code EnvironmentCheckerTest} has one broken environment for each rule.
 */
public final class EnvironmentChecker {
  private static final int EPISODES = 3;
  private static final int DEFAULT_STEPS = 10_000;
  private static final int EXTREME_STEPS = 5;
  private static final Pattern PLACE =
      Pattern.compile("^environment \\d+, episode \\d+, step \\d+: ");

  private final EnvironmentFactory factory;
  private final int steps;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> violations = new HashSet<>(); // met so far, without their place

  private EnvironmentChecker(EnvironmentFactory factory, int steps) {
    this.factory = factory;
    this.steps = steps;
  }

  /**
   * Requires that an environment violates no rule in episodes of at most 10,000 steps.
   *
   * @param factory creates the environment; called twice
   * @throws EnvironmentException with all findings, if a rule is violated
   */
  public static void require(EnvironmentFactory factory) {
    CheckReport report = check(factory);
    if (!report.passed()) {
      throw new EnvironmentException("the environment violates its contract\n" + report);
    }
  }

  /**
   * Checks an environment with episodes of at most 10,000 steps.
   *
   * @param factory creates the environment; called twice
   * @return all findings
   */
  public static CheckReport check(EnvironmentFactory factory) {
    return check(factory, DEFAULT_STEPS);
  }

  /**
   * Checks an environment.
   *
   * @param factory creates the environment; called twice
   * @param steps largest number of steps per episode
   * @return all findings, with one example for each rule
   */
  public static CheckReport check(EnvironmentFactory factory, int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("steps must be at least 1, was " + steps);
    }
    EnvironmentChecker checker = new EnvironmentChecker(factory, steps);
    checker.run();
    return new CheckReport(checker.findings);
  }

  /**
   * Checks a simulator of several episodes: spaces, valid numbers, masks, and that a row depends on
   * its seed and its actions only.
   *
   * @param factory creates the simulator; called twice
   * @return all findings, with one example for each rule
   */
  public static CheckReport checkBatch(BatchedEnvironmentFactory factory) {
    return BatchCheck.run(factory);
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
    attempt(Rule.CONTRACT, "", () -> checkDeterminism(first, second));
    attempt(Rule.MASKS, "", () -> checkMasks(first));
    for (boolean highest : new boolean[] {false, true}) {
      checkActionBounds(first, highest);
    }
    for (int before : new int[] {0, 1, 7}) {
      attempt(Rule.SNAPSHOT, "", () -> checkSnapshot(first, second, before));
    }
    for (Environment used : List.of(first, second)) {
      if (!observationSpace.equals(used.observationSpace())
          || !actionSpace.equals(used.actionSpace())) {
        report(Rule.SPACES, "observation and action space must be constant, but changed");
        return;
      }
    }
  }

  /** Reports a violation that a call meets, unless it has been reported already. */
  private void attempt(Rule rule, String what, Runnable code) {
    try {
      code.run();
    } catch (EnvironmentException broken) {
      String message = String.valueOf(broken.getMessage());
      String violation = PLACE.matcher(message).replaceFirst("");
      if (violations.add(violation)) {
        report(violation.startsWith("allowed ") ? Rule.MASKS : rule, what + message);
      }
    }
  }

  private boolean checkSpaces(Environment environment) {
    ObservationSpace observations = environment.observationSpace();
    if (observations == null || observations.size() < 1) {
      report(Rule.SPACES, "the observation space must have at least 1 number, was " + observations);
    }
    if (environment.actionSpace() == null) {
      report(
          Rule.SPACES, "the action space must be discrete, a box or a product of them, was null");
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
    checkEnds(originals);
  }

  private void checkEnds(List<EpisodeTrace> episodes) {
    if (episodes.stream().noneMatch(EpisodeTrace::ended)) {
      report(
          Rule.EPISODE_END,
          String.format(
              Locale.ROOT,
              "no episode ended within %d steps; give it a limit with episodeLimit, or check with more steps",
              steps));
    }
    int length = episodes.get(0).length();
    if (length > 1
        && episodes.stream().allMatch(one -> one.terminated() && one.length() == length)) {
      report(
          Rule.TIME_LIMIT,
          String.format(
                  Locale.ROOT,
                  "all %d episodes of random actions were terminated after %d steps; is this time limit part of",
                  episodes.size(),
                  length)
              + " the task? If not, truncate the episode there, so that the value of its last state"
              + " still counts");
    }
  }

  /** Asks for the allowed choices once more before every step, which must make no difference. */
  private void checkMasks(Environment environment) {
    EpisodeTrace expected = play(environment, 0);
    GuardedEnvironment guarded = new GuardedEnvironment(environment, 0);
    boolean[] again = new boolean[guarded.mask().length];
    if (again.length == 0) {
      return;
    }
    Runnable askAgain =
        () -> {
          Arrays.fill(again, true);
          environment.allowed(again);
          if (!Arrays.equals(again, guarded.mask())) {
            report(
                Rule.MASKS,
                "asked twice without a step between, allowed gave %s, then %s; it must change nothing"
                    .formatted(Arrays.toString(guarded.mask()), Arrays.toString(again)));
          }
        };
    play(guarded, environment.actionSpace(), 0, askAgain)
        .firstDifference(expected)
        .ifPresent(
            at ->
                report(
                    Rule.MASKS,
                    String.format(
                            Locale.ROOT,
                            "asking twice what is allowed changed the episode after %d steps; allowed must",
                            at)
                        + " change nothing and draw no random numbers"));
  }

  private void compare(EpisodeTrace original, EpisodeTrace replay, String where) {
    original
        .firstDifference(replay)
        .ifPresent(
            at ->
                report(
                    at == 0 ? Rule.RESET_DETERMINISM : Rule.STEP_DETERMINISM,
                    String.format(
                        Locale.ROOT,
                        "same stream and actions, but after %d steps %s gave {%s} instead of {%s}; %s",
                        at,
                        where,
                        replay.moments().get(at),
                        original.moments().get(at),
                        "draw only from the stream given to reset, and reset everything")));
  }

  private void checkActionBounds(Environment environment, boolean highest) {
    ActionSpace space = environment.actionSpace();
    attempt(
        Rule.ACTION_BOUNDS,
        highest ? "the highest actions failed: " : "the lowest actions failed: ",
        () -> {
          GuardedEnvironment guarded = new GuardedEnvironment(environment, 0);
          guarded.reset(0, episodeStream(0));
          boolean ended = false;
          for (int i = 0; i < EXTREME_STEPS && !ended; i++) {
            ended = guarded.step(extreme(space, guarded.mask(), highest), 0).done();
          }
        });
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

  /** Takes a snapshot after some steps, and continues in both instances. */
  private void checkSnapshot(Environment saved, Environment restored, int before) {
    ActionSpace space = saved.actionSpace();
    RandomStream stream = episodeStream(0);
    RandomStream actions = actions(0);
    GuardedEnvironment original = new GuardedEnvironment(saved, 0);
    original.reset(0, stream);
    if (before > 0
        && EpisodeTrace.follow(original, space, actions, before, EnvironmentChecker::nothing)
            .ended()) {
      return;
    }
    double[] state = original.snapshot();
    if (state == null) {
      return;
    }
    GuardedEnvironment copy = new GuardedEnvironment(restored, 0);
    copy.restore(0, before, state, copyOf(stream));
    RandomStream sameActions = copyOf(actions);
    EpisodeTrace expected =
        EpisodeTrace.follow(original, space, actions, steps, EnvironmentChecker::nothing);
    EpisodeTrace actual =
        EpisodeTrace.follow(copy, space, sameActions, steps, EnvironmentChecker::nothing);
    expected
        .firstDifference(actual)
        .ifPresent(
            at ->
                report(
                    Rule.SNAPSHOT,
                    String.format(
                        Locale.ROOT,
                        "restored after %d steps, step %d gave {%s} instead of {%s}",
                        before,
                        before + at + 1,
                        actual.moments().get(at),
                        expected.moments().get(at))));
  }

  private EpisodeTrace play(Environment environment, int episode) {
    GuardedEnvironment guarded = new GuardedEnvironment(environment, 0);
    return play(guarded, environment.actionSpace(), episode, EnvironmentChecker::nothing);
  }

  private EpisodeTrace play(
      GuardedEnvironment guarded, ActionSpace space, int episode, Runnable beforeStep) {
    float[] first = guarded.reset(episode, episodeStream(episode));
    EpisodeTrace.Moment start = EpisodeTrace.Moment.start(first, guarded.mask());
    return EpisodeTrace.follow(guarded, space, actions(episode), steps, beforeStep).after(start);
  }

  private void report(Rule rule, String message) {
    // One example per rule is enough, but a missing space says nothing about the other one.
    if (rule == Rule.SPACES || findings.stream().noneMatch(finding -> finding.rule() == rule)) {
      findings.add(new Finding(rule, message));
    }
  }

  private static void nothing() {}

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
