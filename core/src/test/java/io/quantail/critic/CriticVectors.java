package io.quantail.critic;

import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Quantile critics, one and two of them. */
public final class CriticVectors implements VectorFamily {
  private static final String NOT_USED = "we never mix quantiles of two critics";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "quantile_midpoints", vector -> checkLevels(vector, "taus"),
        "quantile_levels", vector -> checkLevels(vector, "tau"),
        "quantile_huber_kappa", this::checkLoss,
        "quantile_huber_asymmetry", this::checkAsymmetry,
        "quantile_huber_twin", this::checkTwinLoss,
        "sb3_quantile_huber", this::checkPeerLoss,
        "twin_min_value", this::checkTwinValue,
        "twin_value_reductions", this::checkTwinReductions);
  }

  private void checkLevels(VectorCase vector, String field) {
    vector.expect(field, new QuantileCritic(vector.integer("N"), 1).levels());
  }

  private void checkLoss(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[][] rows = vector.matrix("quantiles");
      Tensor quantiles = tensor(rows).requireGradient();
      Tensor perSample = critic(vector, rows).loss(quantiles, column(vector.doubles("targets")));
      perSample.mean().backward();
      vector.expect("per_sample", perSample.doubles());
      vector.expect("mean", perSample.mean().item());
      vector.expect("sum", perSample.sum().item());
      vector.expectFlat("grad", quantiles.gradient().doubles());
    }
  }

  private void checkAsymmetry(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[][] rows = vector.matrix("quantiles");
      QuantileCritic critic = critic(vector, rows);
      for (String direction : List.of("up", "down")) {
        double[] targets = new double[rows.length];
        Arrays.fill(targets, vector.number("target_" + direction));
        Tensor quantiles = tensor(rows);
        vector.expectFlat(
            "per_quantile_" + direction,
            critic.lossPerQuantile(quantiles, column(targets)).doubles());
        vector.expect("loss_" + direction, critic.loss(quantiles, column(targets)).mean().item());
      }
    }
  }

  private void checkTwinLoss(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      Tensor targets = column(vector.doubles("targets"));
      QuantileCritic critic = critic(vector, vector.matrix("q1"));
      Tensor first = critic.loss(tensor(vector.matrix("q1")), targets);
      Tensor second = critic.loss(tensor(vector.matrix("q2")), targets);
      vector.expect("loss1", first.doubles());
      vector.expect("loss2", second.doubles());
      vector.expect(
          "critic_loss", Tensor.stack(List.of(first.mean(), second.mean()), 0).mean().item());
    }
  }

  /** The peer takes several targets a sample: the same as repeating the sample for each. */
  private void checkPeerLoss(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[][] rows = vector.matrix("quantiles");
      double[] targets = vector.doubles("targets");
      int perSample = targets.length / rows.length;
      long[] repeated = new long[targets.length];
      Arrays.setAll(repeated, i -> i / perSample);
      Tensor quantiles = tensor(rows).requireGradient();
      Tensor outputs = Layers.rows(quantiles, repeated);
      Tensor loss = new QuantileCritic(rows[0].length, 1).loss(outputs, column(targets)).mean();
      loss.backward();
      vector.expect("loss", loss.item());
      vector.expectFlat("gradient", quantiles.gradient().doubles());
    }
  }

  private void checkTwinValue(VectorCase vector) {
    checkReductions(vector, "v1", "v2", "v_min");
    vector.ignore("elementwise_min_quantiles", NOT_USED);
  }

  private void checkTwinReductions(VectorCase vector) {
    checkReductions(vector, "mean1", "mean2", "min_of_means");
    vector.ignore("elementwise_min", NOT_USED);
  }

  private static void checkReductions(
      VectorCase vector, String first, String second, String lowest) {
    try (Scope scope = Scope.open()) {
      Critic critic = new QuantileCritic(vector.matrix("q1")[0].length, 1);
      List<Tensor> outputs = List.of(tensor(vector.matrix("q1")), tensor(vector.matrix("q2")));
      double[] value = critic.value(outputs).doubles();
      vector.expect(first, critic.mean(outputs.get(0)).doubles());
      vector.expect(second, critic.mean(outputs.get(1)).doubles());
      vector.expect(lowest, value);
      vector.expectNot("mean_of_elementwise_min", lowest, value);
    }
  }

  private static QuantileCritic critic(VectorCase vector, double[][] rows) {
    return new QuantileCritic(rows[0].length, vector.number("kappa"));
  }

  private static Tensor tensor(double[][] rows) {
    double[] flat = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    return Tensor.of(flat, rows.length, rows[0].length);
  }

  private static Tensor column(double[] values) {
    return Tensor.of(values, values.length);
  }
}
