package io.quantail.testing.vectors;

import io.quantail.ppo.EpochBudget;
import io.quantail.ppo.KlEarlyStop;
import io.quantail.ppo.KlEarlyStop.State;
import io.quantail.ppo.KlEarlyStop.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rules that end an update when the policy moved too far. */
final class KlVectors implements VectorFamily {
  /** What a vector writes for a rule that never fires. */
  private static final int NEVER = -1;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "kl_early_stop_rules", this::checkRules,
        "kl_ema_smoothing", this::checkExponential,
        "kl_epoch_decay", this::checkEpochs);
  }

  private void checkRules(VectorCase vector) {
    double target = vector.number("target_kl");
    KlEarlyStop.Smoothing smoothing = new KlEarlyStop.Smoothing.Window(vector.integer("window"));
    double factor = vector.number("absolute_stop_factor");
    int consecutive = vector.integer("consec_minibatches");
    List<Step> absolute = steps(vector, new KlEarlyStop(true, target, factor, 0, 0, smoothing));
    List<Step> running = steps(vector, new KlEarlyStop(true, target, 0, consecutive, 0, smoothing));
    vector.expect("smoothed", absolute.stream().mapToDouble(Step::smoothed).toArray());
    expectStop(vector, "absolute_stop_index", absolute);
    expectStop(vector, "consecutive_stop_index", running);
    Step last = absolute.get(absolute.size() - 1);
    vector.expect("exceed_fraction_full_epoch", last.state().exceededShare());
  }

  private void checkExponential(VectorCase vector) {
    KlEarlyStop.Smoothing smoothing = new KlEarlyStop.Smoothing.Exponential(vector.number("alpha"));
    List<Step> steps = steps(vector, new KlEarlyStop(true, 1, 0, 0, 0, smoothing));
    vector.expect("ema", steps.stream().mapToDouble(Step::smoothed).toArray());
  }

  private void checkEpochs(VectorCase vector) {
    EpochBudget budget = new EpochBudget(vector.integer("n_epochs"), vector.number("decay"));
    double[][] rows = new double[vector.integer("triggers")][];
    double factor = 1;
    for (int i = 0; i < rows.length; i++) {
      factor = budget.nextFactor(factor, true);
      rows[i] = new double[] {factor, budget.epochsAt(factor)};
    }
    vector.expect("factor_and_epochs", rows);
  }

  private static List<Step> steps(VectorCase vector, KlEarlyStop rules) {
    List<Step> steps = new ArrayList<>();
    State state = State.START;
    for (double kl : vector.doubles("approx_kl")) {
      Step step = rules.beforeStep(state, kl);
      state = step.state();
      steps.add(step);
    }
    return steps;
  }

  private static void expectStop(VectorCase vector, String field, List<Step> steps) {
    int index = NEVER;
    for (int i = steps.size() - 1; i >= 0; i--) {
      index = steps.get(i).stop().isPresent() ? i : index;
    }
    if (index == NEVER && vector.expected(field).isNull()) {
      return;
    }
    vector.expect(field, index);
  }
}
