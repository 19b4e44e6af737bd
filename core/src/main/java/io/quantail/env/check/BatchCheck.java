package io.quantail.env.check;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.BatchedStep;
import io.quantail.env.ObservationSpace;
import io.quantail.env.check.CheckReport.Finding;
import io.quantail.env.check.CheckReport.Rule;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Plays random actions in two simulators and compares what their rows return. */
final class BatchCheck {
  private static final int ROWS = 3;
  private static final int STEPS = 300;

  private final BatchedEnvironmentFactory factory;
  private final List<Finding> findings = new ArrayList<>();

  private BatchCheck(BatchedEnvironmentFactory factory) {
    this.factory = factory;
  }

  static CheckReport run(BatchedEnvironmentFactory factory) {
    BatchCheck check = new BatchCheck(factory);
    check.run();
    return new CheckReport(check.findings);
  }

  private void run() {
    try (BatchedEnvironment first = factory.createBatch(ROWS);
        BatchedEnvironment second = factory.createBatch(ROWS)) {
      if (first == null || second == null || first == second) {
        report(Rule.CREATION, "the factory must return a new simulator on each call");
      } else if (usable(first) && usable(second)) {
        compare(first, second);
      }
    } catch (Exception thrown) {
      report(Rule.CONTRACT, "creating, stepping or closing it threw " + thrown);
    }
  }

  private boolean usable(BatchedEnvironment simulator) {
    if (simulator.count() != ROWS) {
      report(
          Rule.CREATION,
          String.format(
              Locale.ROOT,
              "a simulator of %d episodes was asked for, it has %d",
              ROWS,
              simulator.count()));
    }
    ObservationSpace observations = simulator.observationSpace();
    if (observations == null || observations.size() < 1 || simulator.actionSpace() == null) {
      report(
          Rule.SPACES,
          "it observes %s and acts in %s; it needs at least one number to observe and an action space"
              .formatted(observations, simulator.actionSpace()));
    }
    return findings.isEmpty();
  }

  private void compare(BatchedEnvironment first, BatchedEnvironment second) {
    List<List<String>> original = play(first, 0);
    compare(original, play(second, 0), ROWS, Rule.STEP_DETERMINISM, "another simulator");
    compare(original, play(first, 0), ROWS, Rule.STEP_DETERMINISM, "a used simulator");
    String others = "the simulator, with other actions in the other rows,";
    compare(original, play(second, 1), 1, Rule.STEP_DETERMINISM, others);
  }

  private void compare(
      List<List<String>> original, List<List<String>> replay, int rows, Rule rule, String where) {
    for (int row = 0; row < rows; row++) {
      List<String> before = original.get(row);
      List<String> now = replay.get(row);
      for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
        if (!before.get(i).equals(now.get(i))) {
          report(
              rule,
              String.format(
                  Locale.ROOT,
                  "same seeds and actions, but in row %d %s gave {%s} instead of {%s}",
                  row,
                  where,
                  now.get(i),
                  before.get(i)));
          return;
        }
      }
    }
  }

  /** What each row returned; the actions of row 0 do not depend on {@code variant}. */
  private List<List<String>> play(BatchedEnvironment simulator, int variant) {
    ActionSpace space = simulator.actionSpace();
    BatchedStep rows = new BatchedStep(simulator);
    RandomStream[] actions = new RandomStream[ROWS];
    List<List<String>> log = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      actions[row] = RandomStream.of(row == 0 ? 0 : variant, "checker/batch", row);
      log.add(new ArrayList<>());
      start(simulator, row, rows, log.get(row));
    }
    float[] chosen = new float[ROWS * space.size()];
    for (int step = 0; step < STEPS && findings.isEmpty(); step++) {
      for (int row = 0; row < ROWS; row++) {
        float[] action = space.sample(actions[row], mask(rows, row));
        System.arraycopy(action, 0, chosen, row * space.size(), space.size());
      }
      rows.clear();
      simulator.step(chosen.clone(), rows);
      for (int row = 0; row < ROWS; row++) {
        boolean done = rows.terminated()[row] || rows.truncated()[row];
        log.get(row).add(checked(simulator, rows, row, done));
        if (done && findings.isEmpty()) {
          start(simulator, row, rows, log.get(row));
        }
      }
    }
    return log;
  }

  private void start(BatchedEnvironment simulator, int row, BatchedStep rows, List<String> log) {
    simulator.reset(row, 1000L * row + log.size(), rows);
    log.add(checked(simulator, rows, row, false));
  }

  /** The values of a row as a text, after a look at whether they are valid. */
  private String checked(BatchedEnvironment simulator, BatchedStep rows, int row, boolean done) {
    ObservationSpace space = simulator.observationSpace();
    float[] seen =
        Arrays.copyOfRange(rows.observations(), row * space.size(), (row + 1) * space.size());
    for (int i = 0; i < seen.length; i++) {
      if (!Float.isFinite(seen[i])) {
        report(
            Rule.CONTRACT,
            String.format(
                Locale.ROOT, "row %d: %s was %s, must be finite", row, space.name(i), seen[i]));
      }
    }
    if (!Double.isFinite(rows.rewards()[row])) {
      report(
          Rule.CONTRACT,
          String.format(
              Locale.ROOT, "row %d: reward was %s, must be finite", row, rows.rewards()[row]));
    }
    boolean[] mask = mask(rows, row);
    if (!done && mask.length > 0 && simulator.actionSpace().partWithoutChoice(mask, 0) >= 0) {
      report(Rule.MASKS, String.format(Locale.ROOT, "row %d: the mask leaves no choice", row));
    }
    return "observation %s, reward %s, terminated %s, truncated %s%s"
        .formatted(
            Arrays.toString(seen),
            rows.rewards()[row],
            rows.terminated()[row],
            rows.truncated()[row],
            done || mask.length == 0 ? "" : ", allowed " + Arrays.toString(mask));
  }

  private static boolean[] mask(BatchedStep rows, int row) {
    int size = rows.maskSize();
    return Arrays.copyOfRange(rows.masks(), row * size, (row + 1) * size);
  }

  private void report(Rule rule, String message) {
    if (findings.stream().noneMatch(finding -> finding.rule() == rule)) {
      findings.add(new Finding(rule, message));
    }
  }
}
