package io.quantail.value;

import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;

/** Categorical critics: their support, projection, loss and value. */
public final class CategoricalVectors implements VectorFamily {
  /** Logits below this stand for no probability at all. */
  private static final double LOWEST_LOGIT = -80;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "c51_scalar_target_projection", this::checkTargets,
        "c51_cross_entropy_logN", this::checkLoss,
        "ce_normaliser", this::checkNormalizer,
        "c51_shift_projection", this::checkShifts,
        "categorical_shift_projection", this::checkShift,
        "twin_min_value_categorical", this::checkTwinProbabilities,
        "categorical_twin_value", this::checkTwinLogits);
  }

  /** As masses are projected, and as the gradient of the loss shows that targets are. */
  private void checkTargets(VectorCase vector) {
    AtomSupport support = ends(vector);
    CategoricalCritic critic = new CategoricalCritic(support);
    double[] targets = vector.doubles("targets");
    double[][] projected = new double[targets.length][support.count()];
    double[][] regressed = new double[targets.length][];
    for (int i = 0; i < targets.length; i++) {
      support.project(new double[] {targets[i]}, 0, new double[] {1}, projected[i]);
      float[] gradient = new float[support.count()];
      double scale = CategoricalCritic.normalizer(support.count());
      critic.loss(
          new float[support.count()], 0, new float[] {(float) targets[i]}, 0, 1, scale, gradient);
      regressed[i] =
          Arrays.stream(Floats.widened(gradient)).map(g -> 1.0 / support.count() - g).toArray();
    }
    vector.expect("distribution", projected);
    vector.allowSinglePrecision(
        Math.max(1, Math.max(Math.abs(support.low()), support.high()) / support.spacing()));
    vector.expect("distribution", regressed);
  }

  private void checkLoss(VectorCase vector) {
    double[][] rows = vector.matrix("logits");
    CategoricalCritic critic = new CategoricalCritic(ends(vector));
    double scale = CategoricalCritic.normalizer(critic.outputs());
    double[] losses = new double[rows.length];
    double[] means = new double[rows.length];
    double[][] gradients = new double[rows.length][];
    double[][] probabilities = new double[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      float[] logits = Floats.of(rows[row]);
      float[] gradient = new float[logits.length];
      losses[row] =
          critic.loss(
              logits, 0, new float[] {(float) vector.number("target")}, 0, 1, scale, gradient);
      gradients[row] = Floats.widened(gradient);
      means[row] = critic.mean(logits, 0);
      probabilities[row] = shifted(critic, logits, 0);
    }
    vector.allowSinglePrecision(magnitude(vector, critic, rows));
    vector.expect("probs", probabilities);
    vector.expect("ce", Arrays.stream(losses).map(loss -> loss * scale).toArray());
    vector.expect("ce_over_logN", losses);
    vector.expect("grad_logits_ce", gradients);
    vector.expectFlat("mean_value", means);
  }

  /** Rounded logits move probabilities, a rounded target moves mass from atom to atom. */
  private static double magnitude(VectorCase vector, CategoricalCritic critic, double[][] rows) {
    double logits = Math.max(1, Floats.largest(Floats.flat(rows)));
    double target = Math.max(1, Math.abs(vector.number("target")) / critic.support().spacing());
    return logits * Math.max(target, Floats.largest(critic.support().atoms()));
  }

  private void checkNormalizer(VectorCase vector) {
    vector.expect(
        "normaliser",
        Arrays.stream(vector.integers("num_atoms"))
            .mapToDouble(CategoricalCritic::normalizer)
            .toArray());
  }

  private void checkShifts(VectorCase vector) {
    CategoricalCritic critic = new CategoricalCritic(atoms(vector));
    double[] shifts = vector.doubles("shift");
    double[] probabilities = vector.doubles("probs");
    float[] logits = logits(probabilities);
    double[][] projected = new double[shifts.length][critic.outputs()];
    double[][] moved = new double[shifts.length][];
    double[] means = new double[shifts.length];
    for (int i = 0; i < shifts.length; i++) {
      critic.support().project(critic.support().atoms(), shifts[i], probabilities, projected[i]);
      moved[i] = shifted(critic, logits, shifts[i]);
      means[i] = critic.mean(logits(moved[i]), 0);
    }
    vector.expect("projected", projected);
    vector.allowSinglePrecision(magnitude(critic, logits));
    vector.expect("projected", moved);
    vector.expect("mean_after", means);
    vector.expect("mean_before", critic.mean(logits, 0));
  }

  private void checkShift(VectorCase vector) {
    CategoricalCritic critic = new CategoricalCritic(atoms(vector));
    float[] logits = logits(vector.doubles("probs"));
    vector.allowSinglePrecision(magnitude(critic, logits));
    vector.expect("projected", shifted(critic, logits, vector.number("shift")));
    vector.expect("zero_shift", shifted(critic, logits, 0));
  }

  /** The probabilities of a moved distribution. */
  static double[] shifted(Critic critic, float[] logits, double distance) {
    float[] shifted = new float[critic.outputs()];
    critic.shift(logits, 0, distance, shifted);
    return Arrays.stream(Floats.widened(shifted)).map(Math::exp).toArray();
  }

  private void checkTwinProbabilities(VectorCase vector) {
    checkTwins(vector, logits(vector.doubles("probs1")), logits(vector.doubles("probs2")), "v_min");
  }

  private void checkTwinLogits(VectorCase vector) {
    float[] first = Floats.of(vector.doubles("logits1"));
    float[] second = Floats.of(vector.doubles("logits2"));
    double value = checkTwins(vector, first, second, "value");
    Critic critic = new CategoricalCritic(atoms(vector));
    vector.expect("chosen", value == critic.mean(first, 0) ? 1 : 2);
  }

  private static double checkTwins(
      VectorCase vector, float[] first, float[] second, String lowest) {
    CategoricalCritic critic = new CategoricalCritic(atoms(vector));
    float[] both = Arrays.copyOf(first, 2 * first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    double value = critic.value(both);
    vector.allowSinglePrecision(magnitude(critic, both));
    vector.expect("v1", critic.mean(both, 0));
    vector.expect("v2", critic.mean(both, first.length));
    vector.expect(lowest, value);
    return value;
  }

  /** What rounded logits may change in means and probabilities. */
  static double magnitude(CategoricalCritic critic, float[] logits) {
    double largest = 1;
    for (float logit : logits) {
      largest = logit <= LOWEST_LOGIT ? largest : Math.max(largest, Math.abs(logit));
    }
    return largest * Math.max(1, Floats.largest(critic.support().atoms()));
  }

  private static AtomSupport ends(VectorCase vector) {
    return new AtomSupport(
        vector.number("v_min"), vector.number("v_max"), vector.integer("num_atoms"));
  }

  static AtomSupport atoms(VectorCase vector) {
    double[] atoms = vector.doubles("atoms");
    return new AtomSupport(atoms[0], atoms[atoms.length - 1], atoms.length);
  }

  /** The outputs of a critic that predicts the given probabilities. */
  static float[] logits(double[] probabilities) {
    return Floats.of(
        Arrays.stream(probabilities).map(p -> Math.max(LOWEST_LOGIT, Math.log(p))).toArray());
  }
}
