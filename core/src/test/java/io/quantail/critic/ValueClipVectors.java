package io.quantail.critic;

import static io.quantail.critic.CategoricalVectors.row;
import static io.quantail.critic.CategoricalVectors.rows;
import static io.quantail.critic.CategoricalVectors.tensor;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.Names;
import io.quantail.config.ValueClipMode;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Clipped critics, one and two of them. */
public final class ValueClipVectors implements VectorFamily {
  private static final double NO_FACTOR = 1;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "vf_clip_per_quantile",
        vector -> checkClipped(vector, ValueClipMode.PER_QUANTILE),
        "vf_clip_mean_only",
        vector -> checkClipped(vector, ValueClipMode.MEAN_ONLY),
        "vf_clip_mean_and_variance",
        vector -> checkClipped(vector, ValueClipMode.MEAN_AND_VARIANCE),
        "vf_clip_delta_scaling_equivalence",
        this::checkUnits,
        "vf_clip_loss_max_per_sample",
        vector -> checkLoss(vector, "target"),
        "vf_clip_max_elementwise_not_of_means",
        vector -> checkLoss(vector, "targets"),
        "vf_clip_categorical_mean_only",
        this::checkCategorical,
        "twin_max_then_average",
        this::checkOrder,
        "twin_value_clipping_modes",
        this::checkTwinModes,
        "twin_clip_aggregation_order",
        this::checkTwinOrder);
  }

  private void checkClipped(VectorCase vector, ValueClipMode mode) {
    try (Scope scope = Scope.open()) {
      Tensor quantiles = tensor(vector.matrix("q_new"));
      Tensor old = tensor(vector.matrix("q_old"));
      Critic critic = critic(quantiles, 1);
      ValueClip clip =
          new ValueClip(mode, vector.number("eps"), vector.number("variance_factor", NO_FACTOR));
      Tensor clipped = clip.clip(critic, quantiles, old).outputs();
      vector.expect("clipped", rows(clipped));
      vector.expectFlat("clipped_mean", critic.mean(clipped).doubles());
      vector.expectFlat("scale", clip.spreadRatio(quantiles, old).clamp(0, 1).doubles());
      vector.expectFlat("std_new", ValueClip.spread(quantiles).doubles());
      vector.expectFlat("std_old", ValueClip.spread(old).doubles());
    }
  }

  private void checkUnits(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      ReturnScale scale = new ReturnScale(vector.number("ret_mean"), vector.number("ret_std"));
      UnaryOperator<Tensor> raw = tensor -> tensor.mul(scale.std()).add(scale.mean());
      Tensor quantiles = tensor(vector.matrix("q_new_norm"));
      Tensor old = tensor(vector.matrix("q_old_norm"));
      double range = vector.number("clip_range_vf");
      double rawRange = range * scale.std();
      vector.expect("delta_raw", rawRange);
      vector.expect("clipped_norm", rows(perQuantile(range, quantiles, old)));
      Tensor clipped = perQuantile(rawRange, raw.apply(quantiles), raw.apply(old));
      vector.expect("clipped_norm", rows(clipped.add(-scale.mean()).mul(1 / scale.std())));
    }
  }

  private static Tensor perQuantile(double range, Tensor quantiles, Tensor old) {
    return new ValueClip(ValueClipMode.PER_QUANTILE, range, NO_FACTOR)
        .clip(critic(quantiles, 1), quantiles, old)
        .outputs();
  }

  private void checkLoss(VectorCase vector, String targets) {
    try (Scope scope = Scope.open()) {
      Tensor quantiles = tensor(vector.matrix("q_new"));
      ValueClip.Loss loss =
          new ValueClip(ValueClipMode.PER_QUANTILE, vector.number("eps"), NO_FACTOR)
              .loss(
                  critic(quantiles, vector.number("kappa")),
                  quantiles,
                  tensor(vector.matrix("q_old")),
                  vector(vector.doubles(targets)));
      vector.expect("loss_unclipped", loss.free().doubles());
      vector.expect("loss_clipped", loss.clipped().doubles());
      vector.expect("loss", loss.larger().mean().item());
      vector.expectNot("wrong_max_of_means", "loss", loss.larger().mean().item());
    }
  }

  private void checkCategorical(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[] atoms = vector.doubles("atoms");
      CategoricalCritic critic =
          new CategoricalCritic(new Support(atoms[0], atoms[atoms.length - 1], atoms.length));
      Tensor logits = row(vector.doubles("probs_new")).log();
      Tensor old = row(vector.doubles("probs_old")).log();
      ValueClip clip = new ValueClip(ValueClipMode.MEAN_ONLY, vector.number("eps"), NO_FACTOR);
      Tensor clipped = clip.clip(critic, logits, old).outputs();
      Tensor targets = vector(new double[] {vector.number("target")});
      ValueClip.Loss loss = clip.loss(critic, logits, old, targets);
      double scale = CategoricalCritic.normalizer(atoms.length);
      double mean = critic.mean(logits).item();
      double oldMean = critic.mean(old).item();
      double back = clip.wayBack(critic.mean(logits).sub(critic.mean(old))).item();
      vector.expect("mean_new", mean);
      vector.expect("mean_old", oldMean);
      vector.expect("clipped_mean", mean + back);
      vector.expect("shift", back);
      vector.expect("projected", clipped.exp().doubles());
      vector.expect("ce_unclipped", loss.free().item() * scale);
      vector.expect("ce_clipped", loss.clipped().item() * scale);
      vector.expect("loss", loss.larger().item() * scale);
      vector.expect("loss_over_logN", loss.larger().item());
    }
  }

  private void checkOrder(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      ValueClip.Loss first = losses(vector, 1);
      ValueClip.Loss second = losses(vector, 2);
      double loss = average(List.of(first, second));
      vector.expect("loss", loss);
      vector.expectNot("wrong_average_then_max", "loss", loss);
      vector.expectNot("wrong_max_of_means", "loss", loss);
    }
  }

  private static ValueClip.Loss losses(VectorCase vector, int critic) {
    Tensor free = vector(vector.doubles("unclipped" + critic));
    return new ValueClip.Loss(free, vector(vector.doubles("clipped" + critic)), free);
  }

  /** How the update adds up: the larger per sample, then over samples, then over critics. */
  private static double average(List<ValueClip.Loss> losses) {
    return losses.stream().mapToDouble(loss -> loss.larger().mean().item()).average().orElseThrow();
  }

  private void checkTwinModes(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      for (ValueClipMode mode : ValueClipMode.values()) {
        String field = mode.name().toLowerCase(Locale.ROOT);
        if (vector.expects(field)) {
          checkTwinMode(vector, mode, vector.expected(field));
        }
      }
    }
  }

  /** The order cannot be told from these numbers: the field about the wrong one agrees. */
  private static void checkTwinMode(VectorCase vector, ValueClipMode mode, JsonNode expected) {
    ValueClip clip =
        new ValueClip(mode, vector.number("clip_delta"), vector.number("variance_factor"));
    List<ValueClip.Loss> losses = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      Tensor quantiles = tensor(vector.matrix("q" + i));
      Tensor old = tensor(vector.matrix("old" + i));
      Critic critic = critic(quantiles, vector.number("kappa"));
      vector.compareWith(
          mode + ".clipped" + i,
          expected.path("clipped" + i),
          clip.clip(critic, quantiles, old).outputs().doubles());
      losses.add(clip.loss(critic, quantiles, old, vector(vector.doubles("targets"))));
    }
    vector.compareWith(mode + ".loss", expected.path("loss"), average(losses));
  }

  private void checkTwinOrder(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      ValueClipMode mode =
          Arrays.stream(ValueClipMode.values())
              .filter(some -> same(some, vector.input("mode").asText()))
              .findFirst()
              .orElseThrow();
      ValueClip clip = new ValueClip(mode, vector.number("clip_delta"), NO_FACTOR);
      Tensor targets = vector(vector.doubles("target"));
      List<ValueClip.Loss> losses =
          List.of("1", "2").stream()
              .map(
                  i -> {
                    Tensor quantiles = tensor(vector.matrix("q" + i));
                    Critic critic = critic(quantiles, vector.number("kappa"));
                    return clip.loss(critic, quantiles, tensor(vector.matrix("old" + i)), targets);
                  })
              .toList();
      double loss = average(losses);
      vector.expect("unclipped", each(losses.get(0).free(), losses.get(1).free()));
      vector.expect("clipped", each(losses.get(0).clipped(), losses.get(1).clipped()));
      vector.expect("correct", loss);
      vector.expectNot("wrong", "correct", loss);
    }
  }

  private static boolean same(ValueClipMode mode, String name) {
    return Names.fold(mode.name()).equals(Names.fold(name));
  }

  private static double[] each(Tensor first, Tensor second) {
    return new double[] {first.mean().item(), second.mean().item()};
  }

  private static Critic critic(Tensor quantiles, double kappa) {
    return new QuantileCritic((int) quantiles.size(1), kappa);
  }

  private static Tensor vector(double[] values) {
    return Tensor.of(values, values.length);
  }
}
