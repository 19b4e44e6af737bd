package io.quantail.critic;

import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Categorical critics: their support, projection, loss and value. */
public final class CategoricalVectors implements VectorFamily {

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

  private void checkTargets(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[] targets = vector.doubles("targets");
      Tensor projected = ends(vector).project(Tensor.of(targets, targets.length));
      vector.expect("distribution", rows(projected));
    }
  }

  private void checkLoss(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[][] rows = vector.matrix("logits");
      double[] targets = new double[rows.length];
      Arrays.fill(targets, vector.number("target"));
      CategoricalCritic critic = new CategoricalCritic(ends(vector));
      Tensor logits = tensor(rows).requireGradient();
      Tensor loss = critic.loss(logits, Tensor.of(targets, targets.length));
      Tensor crossEntropy = loss.mul(CategoricalCritic.normalizer(critic.outputs()));
      crossEntropy.sum().backward();
      vector.expect("probs", rows(critic.probabilities(logits)));
      vector.expect("ce", crossEntropy.doubles());
      vector.expect("ce_over_logN", loss.doubles());
      vector.expect("grad_logits_ce", rows(logits.gradient()));
      vector.expect("mean_value", critic.mean(logits).item());
    }
  }

  private void checkNormalizer(VectorCase vector) {
    vector.expect(
        "normaliser",
        Arrays.stream(vector.integers("num_atoms"))
            .mapToDouble(CategoricalCritic::normalizer)
            .toArray());
  }

  private void checkShifts(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      CategoricalCritic critic = new CategoricalCritic(atoms(vector));
      double[] shifts = vector.doubles("shift");
      double[][] same = new double[shifts.length][];
      Arrays.fill(same, vector.doubles("probs"));
      Tensor logits = tensor(same).log();
      Tensor positions =
          Tensor.of(shifts, shifts.length, 1).add(logits.likeThis(critic.support().atoms()));
      Tensor projected = critic.support().project(positions, critic.probabilities(logits));
      vector.expect("projected", rows(projected));
      vector.expect(
          "mean_after",
          projected.mul(projected.likeThis(critic.support().atoms())).sum(1).doubles());
      vector.expect("mean_before", critic.mean(logits).doubles()[0]);
    }
  }

  private void checkShift(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      CategoricalCritic critic = new CategoricalCritic(atoms(vector));
      Tensor logits = row(vector.doubles("probs")).log();
      vector.expect("projected", shifted(critic, logits, vector.number("shift")));
      vector.expect("zero_shift", shifted(critic, logits, 0));
    }
  }

  private static double[] shifted(CategoricalCritic critic, Tensor logits, double shift) {
    return critic.shift(logits, Tensor.of(new double[] {shift}, 1)).exp().doubles();
  }

  private void checkTwinProbabilities(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      checkTwins(
          vector,
          row(vector.doubles("probs1")).log(),
          row(vector.doubles("probs2")).log(),
          "v_min");
    }
  }

  private void checkTwinLogits(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      Tensor first = row(vector.doubles("logits1"));
      Tensor second = row(vector.doubles("logits2"));
      checkTwins(vector, first, second, "value");
      Critic critic = new CategoricalCritic(atoms(vector));
      double value = critic.value(List.of(first, second)).item();
      vector.expect("chosen", value == critic.mean(first).item() ? 1 : 2);
    }
  }

  private static void checkTwins(VectorCase vector, Tensor first, Tensor second, String lowest) {
    Critic critic = new CategoricalCritic(atoms(vector));
    vector.expect("v1", critic.mean(first).item());
    vector.expect("v2", critic.mean(second).item());
    vector.expect(lowest, critic.value(List.of(first, second)).item());
  }

  private static Support ends(VectorCase vector) {
    return new Support(vector.number("v_min"), vector.number("v_max"), vector.integer("num_atoms"));
  }

  private static Support atoms(VectorCase vector) {
    double[] atoms = vector.doubles("atoms");
    return new Support(atoms[0], atoms[atoms.length - 1], atoms.length);
  }

  static Tensor row(double[] values) {
    return Tensor.of(values, 1, values.length);
  }

  static Tensor tensor(double[][] rows) {
    double[] flat = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    return Tensor.of(flat, rows.length, rows[0].length);
  }

  static double[][] rows(Tensor tensor) {
    int width = (int) tensor.size(1);
    double[] flat = tensor.doubles();
    double[][] rows = new double[flat.length / width][];
    Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
    return rows;
  }
}
