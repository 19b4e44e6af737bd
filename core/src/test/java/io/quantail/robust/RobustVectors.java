package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Attacks, and when and how strongly they take part in training. */
public final class RobustVectors implements VectorFamily {
  private static final PerturbationBounds FREE =
      new PerturbationBounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, List.of());

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "pgd_linf_", vector -> checkSteps(vector, RobustConfig.AttackNorm.LINF),
        "pgd_l2_", vector -> checkSteps(vector, RobustConfig.AttackNorm.L2),
        "pgd_kl_needs_random_start", this::checkStart,
        "fgsm", this::checkEdge,
        "epsilon_schedule", this::checkSchedule,
        "adversarial_split_counts", this::checkSplit,
        "sa_ppo_enable_gate", this::checkGate,
        "sa_ppo_max_updates", this::checkUpdates);
  }

  private static float[] floats(double[] values) {
    float[] rounded = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      rounded[i] = (float) values[i];
    }
    return rounded;
  }

  /** Of {@code sum a_i s_i^2 / 2}. */
  private static float[] gradient(double[] a, double[] state, double[] delta) {
    double[] gradient = new double[a.length];
    Arrays.setAll(gradient, i -> a[i] * (state[i] + delta[i]));
    return floats(gradient);
  }

  private static void checkSteps(VectorCase vector, RobustConfig.AttackNorm norm) {
    double[] state = vector.doubles("state");
    double[] delta = vector.doubles("delta0");
    PerturbationBall ball = new PerturbationBall(norm, vector.number("epsilon"), FREE);
    double[][] course = new double[vector.integer("steps")][];
    for (int step = 0; step < course.length; step++) {
      float[] gradient = gradient(vector.doubles("a"), state, delta);
      ball.ascend(delta, floats(state), gradient, vector.number("attack_lr"));
      course[step] = delta.clone();
    }
    vector.expect("delta_each_step", course);
  }

  /** The gradient of {@code (w delta)^2 / (2 sigma^2)}. */
  private void checkStart(VectorCase vector) {
    double[] w = vector.doubles("w");
    double sigma = vector.number("sigma");
    PerturbationBall ball =
        new PerturbationBall(RobustConfig.AttackNorm.LINF, vector.number("epsilon"), FREE);
    for (String start : List.of("zero", "random")) {
      double[] delta = vector.doubles("delta_" + start);
      double product = 0;
      for (int i = 0; i < w.length; i++) {
        product += w[i] * delta[i];
      }
      double[] gradient = new double[w.length];
      double slope = product / (sigma * sigma);
      Arrays.setAll(gradient, i -> slope * w[i]);
      ball.ascend(delta, new float[w.length], floats(gradient), vector.number("attack_lr"));
      vector.expect("step_from_" + start, delta);
    }
  }

  private void checkEdge(VectorCase vector) {
    double[] state = vector.doubles("state");
    float[] gradient = gradient(vector.doubles("a"), state, new double[state.length]);
    double epsilon = vector.number("epsilon");
    float[] seen = floats(state);
    vector.expect(
        "linf",
        new PerturbationBall(RobustConfig.AttackNorm.LINF, epsilon, FREE).edge(seen, gradient));
    vector.expect(
        "l2", new PerturbationBall(RobustConfig.AttackNorm.L2, epsilon, FREE).edge(seen, gradient));
    PerturbationBounds bounded =
        new PerturbationBounds(vector.number("clip_min"), vector.number("clip_max"), List.of());
    vector.expect(
        "linf_after_state_clip",
        new PerturbationBall(RobustConfig.AttackNorm.LINF, epsilon, bounded).edge(seen, gradient));
  }

  private void checkSchedule(VectorCase vector) {
    for (RobustConfig.EpsilonRamp ramp : RobustConfig.EpsilonRamp.values()) {
      EpsilonSchedule schedule =
          new EpsilonSchedule(
              ramp,
              vector.number("epsilon_init"),
              vector.number("epsilon_final"),
              vector.integer("max_updates"));
      double[] course =
          Arrays.stream(vector.integers("updates")).mapToDouble(schedule::at).toArray();
      vector.expect(ramp == RobustConfig.EpsilonRamp.LINEAR ? "linear" : "cosine", course);
    }
  }

  private void checkSplit(VectorCase vector) {
    int[] batches = vector.integers("batch");
    double ratio = vector.number("ratio");
    int[] disturbed =
        Arrays.stream(batches).map(batch -> RobustLossTerm.count(batch, ratio)).toArray();
    int[] clean = new int[batches.length];
    Arrays.setAll(clean, i -> batches[i] - disturbed[i]);
    vector.expect("n_adv", disturbed);
    vector.expect("n_clean", clean);
  }

  private void checkGate(VectorCase vector) {
    int[] updates = vector.integers("updates");
    boolean[] active = new boolean[updates.length];
    for (int i = 0; i < updates.length; i++) {
      active[i] = AdversarySchedule.active(updates[i], vector.integer("warmup_updates"));
    }
    vector.expect("active", active);
  }

  private void checkUpdates(VectorCase vector) {
    vector.expect(
        "recommended",
        (int)
            EpsilonSchedule.updates(
                (long) vector.number("total_timesteps"),
                vector.integer("n_steps"),
                vector.integer("n_envs")));
  }
}
