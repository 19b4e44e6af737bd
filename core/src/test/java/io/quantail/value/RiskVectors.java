package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Conditional value at risk, and the formulas of its limit. */
public final class RiskVectors implements VectorFamily {

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "cvar_quantile_", this::checkQuantiles,
        "cvar_interpolated_linear_exact", this::checkQuantiles,
        "cvar_categorical", this::checkProbabilities,
        "cvar_empirical_winsor", this::checkEmpirical,
        "cvar_dual_update", this::checkDual,
        "cvar_penalty_and_constraint", this::checkTerms,
        "cvar_weight_ramp", this::checkRamp,
        "cvar_ema", this::checkAverage);
  }

  private void checkQuantiles(VectorCase vector) {
    double[] quantiles = vector.doubles("quantiles");
    overAlphas(
        vector,
        "interpolated",
        a -> Cvar.ofQuantiles(quantiles, a, RiskConfig.CvarMethod.INTERPOLATED));
    overAlphas(
        vector,
        "dirac_mixture",
        a -> Cvar.ofQuantiles(quantiles, a, RiskConfig.CvarMethod.POINT_MASS));
    float[] outputs = Floats.of(quantiles);
    Critic critic = new QuantileCritic(outputs.length, 1);
    vector.allowSinglePrecision(Floats.largest(quantiles));
    overAlphas(
        vector, "interpolated", a -> cvar(critic, outputs, a, RiskConfig.CvarMethod.INTERPOLATED));
    overAlphas(
        vector, "dirac_mixture", a -> cvar(critic, outputs, a, RiskConfig.CvarMethod.POINT_MASS));
  }

  private void checkProbabilities(VectorCase vector) {
    double[] atoms = vector.doubles("atoms");
    double[] probabilities = vector.doubles("probs");
    overAlphas(vector, "cvar", alpha -> Cvar.ofProbabilities(probabilities, atoms, alpha));
    if (isSupport(atoms)) {
      float[] logits = CategoricalVectors.logits(probabilities);
      CategoricalCritic critic = new CategoricalCritic(CategoricalVectors.atoms(vector));
      vector.allowSinglePrecision(2 * CategoricalVectors.magnitude(critic, logits));
      overAlphas(
          vector, "cvar", alpha -> cvar(critic, logits, alpha, RiskConfig.CvarMethod.POINT_MASS));
    }
  }

  /** Whether the atoms are those of a categorical critic: ascending in equal steps. */
  private static boolean isSupport(double[] atoms) {
    double step = (atoms[atoms.length - 1] - atoms[0]) / (atoms.length - 1);
    return step > 0
        && IntStream.range(1, atoms.length)
            .allMatch(i -> Math.abs(atoms[i] - atoms[i - 1] - step) < 1e-9 * step);
  }

  private static double cvar(
      Critic critic, float[] outputs, double alpha, RiskConfig.CvarMethod method) {
    double withGradient = critic.cvar(outputs, 0, alpha, method, new float[outputs.length]);
    critic.read(outputs, 0);
    assertThat(critic.cvar(alpha, method))
        .isCloseTo(withGradient, within(1e-12 * (1 + Math.abs(withGradient))));
    return withGradient;
  }

  private static void overAlphas(VectorCase vector, String field, DoubleUnaryOperator cvar) {
    if (vector.has("alpha")) {
      vector.expect(field, cvar.applyAsDouble(vector.number("alpha")));
    } else {
      vector.expect(field, Arrays.stream(vector.doubles("alphas")).map(cvar).toArray());
    }
  }

  private void checkEmpirical(VectorCase vector) {
    EmpiricalCvar.Empirical[] results =
        Arrays.stream(vector.doubles("winsor_fraction"))
            .mapToObj(
                w -> EmpiricalCvar.empirical(vector.doubles("rewards"), vector.number("alpha"), w))
            .toArray(EmpiricalCvar.Empirical[]::new);
    vector.expect(
        "cvar", Arrays.stream(results).mapToDouble(EmpiricalCvar.Empirical::cvar).toArray());
    vector.expect(
        "tail_count",
        Arrays.stream(results).mapToInt(EmpiricalCvar.Empirical::tailSamples).toArray());
    vector.expect(
        "low_tail_warning", Arrays.stream(results).allMatch(EmpiricalCvar.Empirical::fewSamples));
  }

  private void checkDual(VectorCase vector) {
    double[] gaps = vector.doubles("gap_unit");
    double[] lambdas = new double[gaps.length];
    double lambda = vector.number("lambda0");
    for (int i = 0; i < gaps.length; i++) {
      lambda = EmpiricalCvar.dual(lambda, vector.number("lr"), gaps[i], 1);
      lambdas[i] = lambda;
    }
    vector.expect("lambda_", lambdas);
  }

  private void checkTerms(VectorCase vector) {
    ReturnScale scale = new ReturnScale(vector.number("ret_mean"), vector.number("ret_std"));
    double cap = vector.number("cap");
    double limit = scale.normalize(vector.number("limit_raw"));
    double cvar = scale.normalize(vector.number("pred_cvar_raw"));
    EmpiricalCvar.Term constraint =
        EmpiricalCvar.constraint(cvar, limit, vector.number("lambda_"), cap);
    vector.expect("cvar_unit", cvar);
    vector.expect("limit_unit", limit);
    vector.expect(
        "violation_unit",
        EmpiricalCvar.constraint(cvar, limit, 1, Double.POSITIVE_INFINITY).value());
    vector.expect(
        "penalty_term", EmpiricalCvar.penalty(cvar, vector.number("weight"), cap).value());
    vector.expect("constraint_term", constraint.value());
    vector.expect("d_constraint_d_pred_raw", constraint.slope() / scale.std());
  }

  private void checkRamp(VectorCase vector) {
    double threshold = vector.number("threshold") - vector.number("hysteresis");
    double[] explained = vector.doubles("ev");
    double[] weights = new double[explained.length];
    int consecutive = 0;
    for (int i = 0; i < explained.length; i++) {
      consecutive = EmpiricalCvar.consecutive(consecutive, explained[i], threshold);
      weights[i] =
          EmpiricalCvar.rampedWeight(
              consecutive,
              vector.integer("ramp_updates"),
              vector.number("target"),
              vector.number("cap"));
    }
    vector.expect("weight", weights);
  }

  private void checkAverage(VectorCase vector) {
    double[] values = vector.doubles("x");
    double[] averages = values.clone();
    for (int i = 1; i < values.length; i++) {
      averages[i] = EmpiricalCvar.smoothed(averages[i - 1], values[i], vector.number("beta"));
    }
    vector.expect("ema", averages);
  }
}
