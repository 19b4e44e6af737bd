package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RiskConfig;
import io.quantail.math.Moments;
import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.value.AtomSupport;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.Critic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The distribution of the return: particles, losses, reading, start and scale. */
public final class ReturnTargetVectors implements VectorFamily {
  private static final String FOR_TRAINING = "the answer of a training in DistributionBarsTest";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.ofEntries(
        Map.entry("spread_uniforms", this::checkLevels),
        Map.entry("draw_quantile_with_tails", this::checkDraws),
        Map.entry("draw_atom", this::checkAtoms),
        Map.entry("targets_termination", this::checkTargets),
        Map.entry("targets_truncation_cuts_the_trace", this::checkTargets),
        Map.entry("targets_rollout_end", this::checkTargets),
        Map.entry("targets_lambda_one", this::checkTargets),
        Map.entry("targets_one_particle_is_sr_lambda", this::checkTargets),
        Map.entry("targets_expectation_is_lambda_return", this::checkExpectation),
        Map.entry("targets_twin_and_units", this::checkTwins),
        Map.entry("targets_units_mean_not_dropped", this::checkUnits),
        Map.entry("c51_targets_from_particles", this::checkCategoricalTargets),
        Map.entry("c51_mixture_projected_once", this::checkMixture),
        Map.entry("return_statistics_from_particles", this::checkStatistics),
        Map.entry("set_loss_pinball", this::checkQuantileLoss),
        Map.entry("set_loss_huber_small", this::checkQuantileLoss),
        Map.entry("set_loss_categorical", this::checkCategoricalLoss),
        Map.entry("cvar_with_tails", this::checkCvar),
        Map.entry("head_start", this::checkStart),
        Map.entry("first_scale", this::checkFirstScale),
        Map.entry("truth_iid_normal", this::checkIndependent),
        Map.entry("truth_ar1", this::checkAutoregression),
        Map.entry("truth_coin_chain", this::checkCoins),
        Map.entry("truth_jump_process", this::checkJumps));
  }

  private void checkLevels(VectorCase vector) {
    int count = vector.integer("particles");
    double[] levels = new double[count];
    Arrays.setAll(levels, k -> ReturnTargets.level(vector.number("uniform"), k, count));
    vector.expect("levels", levels);
  }

  /** Quantiles, and after them as mean head their own mean with tails, so that nothing moves. */
  private static float[] unmoved(double[] quantiles) {
    double[] sorted = quantiles.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    double tails = sorted[count - 1] - sorted[count - 2] - (sorted[1] - sorted[0]);
    double mean = Moments.mean(sorted) + tails / (2 * count * Math.log(3));
    return Floats.of(
        DoubleStream.concat(Arrays.stream(quantiles), DoubleStream.of(mean)).toArray());
  }

  private static Critic quantiles(int count) {
    return new QuantileCritic(count, 0, true);
  }

  private void checkDraws(VectorCase vector) {
    double[] quantiles = vector.doubles("quantiles");
    Critic critic = quantiles(quantiles.length);
    critic.read(unmoved(quantiles));
    // A tail of ten gaps multiplies the rounding of the two quantiles that span it.
    vector.allowSinglePrecision(10 * Floats.largest(quantiles));
    double[] levels = vector.doubles("levels");
    vector.expect("draws", Arrays.stream(levels).map(critic::draw).toArray());
    for (double level : levels) {
      if (level > 0) {
        assertThat(critic.level(critic.quantile(level))).isCloseTo(level, within(1e-9));
      }
    }
  }

  private void checkAtoms(VectorCase vector) {
    Critic critic = categorical(vector);
    critic.read(logits(vector.doubles("probabilities")));
    double[] levels = vector.doubles("levels");
    vector.expect("draws", Arrays.stream(levels).map(critic::draw).toArray());
  }

  private static CategoricalCritic categorical(VectorCase vector) {
    double[] atoms = vector.doubles("atoms");
    return new CategoricalCritic(new AtomSupport(atoms[0], atoms[atoms.length - 1], atoms.length));
  }

  private static float[] logits(double[] probabilities) {
    return Floats.of(Arrays.stream(probabilities).map(p -> Math.log(Math.max(p, 1e-30))).toArray());
  }

  private static Gae.Input collected(VectorCase vector) {
    double[] rewards = vector.doubles("rewards");
    int steps = rewards.length;
    return new Gae.Input(
        1,
        rewards,
        new double[steps],
        vector.has("terminated") ? vector.flags("terminated") : new boolean[steps],
        vector.has("truncated") ? vector.flags("truncated") : new boolean[steps],
        new double[steps],
        new double[1],
        vector.number("gamma"),
        vector.number("target_lambda"));
  }

  /** Draws from the outputs that a vector gives for what follows each step. */
  private static ReturnTargets.Following following(
      Critic critic, float[][] outputs, ReturnScale scale) {
    return new ReturnTargets.Following() {
      @Override
      public void select(int transition) {
        critic.read(outputs[transition]);
      }

      @Override
      public double draw(double level) {
        return scale.denormalize(critic.draw(level));
      }
    };
  }

  private static double[][] rows(ReturnTargets targets) {
    double[][] rows = new double[targets.particles().length / targets.count()][];
    Arrays.setAll(
        rows,
        t ->
            Arrays.copyOfRange(
                targets.particles(), t * targets.count(), (t + 1) * targets.count()));
    return rows;
  }

  private static ReturnTargets targets(
      VectorCase vector, Critic critic, float[][] outputs, ReturnScale scale) {
    return ReturnTargets.of(
        collected(vector),
        following(critic, outputs, scale),
        vector.doubles("uniforms"),
        vector.integer("particles"),
        vector.number("target_lambda"));
  }

  private static float[][] nextQuantiles(VectorCase vector) {
    return Arrays.stream(vector.matrix("next_quantiles"))
        .map(ReturnTargetVectors::unmoved)
        .toArray(float[][]::new);
  }

  private void checkTargets(VectorCase vector) {
    float[][] next = nextQuantiles(vector);
    double[][] actual =
        rows(targets(vector, quantiles(next[0].length - 1), next, ReturnScale.IDENTITY));
    vector.allowSinglePrecision(30);
    vector.expect("targets", actual);
    if (vector.name().contains("truncation")) {
      vector.expectNot("targets_wrong_leaky", "targets", flat(actual));
    }
  }

  private static double[] flat(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }

  /** Average over many sets of uniforms; a tenth of the standard deviation is 30 errors. */
  private void checkExpectation(VectorCase vector) {
    float[][] next = nextQuantiles(vector);
    Critic critic = quantiles(next[0].length - 1);
    double[] means = new double[next.length];
    Arrays.setAll(means, t -> critic.mean(next[t], 0));
    vector.allowSinglePrecision(4);
    vector.expect("means_of_draws", means);
    int sets = 100_000;
    RandomStream random = RandomStream.of(7, "expectation", 0);
    double[] sums = new double[next.length];
    double[] squares = new double[next.length];
    for (int set = 0; set < sets; set++) {
      double[] uniforms = new double[next.length];
      Arrays.setAll(uniforms, t -> random.nextDouble());
      double[] particles =
          ReturnTargets.of(
                  collected(vector),
                  following(critic, next, ReturnScale.IDENTITY),
                  uniforms,
                  1,
                  vector.number("target_lambda"))
              .particles();
      for (int t = 0; t < sums.length; t++) {
        sums[t] += particles[t];
        squares[t] += particles[t] * particles[t];
      }
    }
    for (int t = 0; t < sums.length; t++) {
      double mean = sums[t] / sets;
      double error = Math.sqrt((squares[t] / sets - mean * mean) / sets);
      assertThat(mean)
          .isCloseTo(vector.expected("expected_targets").get(t).asDouble(), within(4 * error));
    }
  }

  private void checkTwins(VectorCase vector) {
    double[][] first = vector.matrix("next_quantiles_1");
    double[][] second = vector.matrix("next_quantiles_2");
    float[][] both = new float[first.length][];
    Critic critic = quantiles(first[0].length);
    int[] chosen = new int[first.length];
    for (int t = 0; t < both.length; t++) {
      DoubleStream all =
          DoubleStream.concat(
              DoubleStream.concat(
                  Arrays.stream(first[t]), DoubleStream.of(vector.doubles("next_means_1")[t])),
              DoubleStream.concat(
                  Arrays.stream(second[t]), DoubleStream.of(vector.doubles("next_means_2")[t])));
      both[t] = Floats.of(all.toArray());
      chosen[t] = critic.lower(both[t]) == 0 ? 1 : 2;
    }
    ReturnScale scale = new ReturnScale(vector.number("mu"), vector.number("sigma"));
    ReturnTargets targets = targets(vector, critic, both, scale);
    vector.expect("critic", chosen);
    vector.allowSinglePrecision(20);
    vector.expect("targets_raw", rows(targets));
    double[][] norm = normalised(targets, scale);
    vector.expect("targets_norm", norm);
    vector.expectNot("targets_norm_elementwise_min", "targets_norm", flat(norm));
    vector.expectNot("targets_norm_not_centred", "targets_norm", flat(norm));
  }

  private static double[][] normalised(ReturnTargets targets, ReturnScale scale) {
    return Arrays.stream(rows(targets)).map(scale::normalize).toArray(double[][]::new);
  }

  private void checkUnits(VectorCase vector) {
    float[][] next = nextQuantiles(vector);
    ReturnScale scale = new ReturnScale(vector.number("mu"), vector.number("sigma"));
    double[][] norm =
        normalised(targets(vector, quantiles(next[0].length - 1), next, scale), scale);
    vector.allowSinglePrecision(10);
    vector.expect("targets_norm", norm);
    vector.expectNot("targets_norm_discounted_in_norm_units", "targets_norm", flat(norm));
  }

  private static float[][] nextLogits(VectorCase vector) {
    return Arrays.stream(vector.matrix("next_probabilities"))
        .map(ReturnTargetVectors::logits)
        .toArray(float[][]::new);
  }

  private void checkCategoricalTargets(VectorCase vector) {
    CategoricalCritic critic = categorical(vector);
    ReturnTargets targets = targets(vector, critic, nextLogits(vector), ReturnScale.IDENTITY);
    vector.expect("particles", rows(targets));
    vector.allowSinglePrecision(10);
    double[][] projected = new double[rows(targets).length][];
    Arrays.setAll(projected, t -> projected(critic, rows(targets)[t]));
    vector.expect("target_probabilities", projected);
  }

  /** The masses that the loss projects particles to: at uniform logits, {@code p - g ln N}. */
  private static double[] projected(CategoricalCritic critic, double[] particles) {
    int count = critic.points();
    float[] slopes = new float[count];
    float[] zeros = new float[count];
    critic.loss(zeros, 0, Floats.of(particles), 0, particles.length, Math.log(count), slopes);
    double[] masses = new double[count];
    Arrays.setAll(masses, i -> 1.0 / count - slopes[i]);
    return masses;
  }

  /** The limit of many particles; the mean of 200,000 sets of four has an error of 0.0005. */
  private void checkMixture(VectorCase vector) {
    CategoricalCritic critic = categorical(vector);
    float[][] next = nextLogits(vector);
    int sets = 200_000;
    double[][] sums = new double[next.length][critic.points()];
    RandomStream random = RandomStream.of(8, "mixture", 0);
    for (int set = 0; set < sets; set++) {
      double[] uniforms = new double[next.length];
      Arrays.setAll(uniforms, t -> random.nextDouble());
      ReturnTargets targets =
          ReturnTargets.of(
              collected(vector),
              following(critic, next, ReturnScale.IDENTITY),
              uniforms,
              4,
              vector.number("target_lambda"));
      double[][] rows = rows(targets);
      for (int t = 0; t < sums.length; t++) {
        double[] one = projected(critic, rows[t]);
        for (int i = 0; i < one.length; i++) {
          sums[t][i] += one[i] / sets;
        }
      }
    }
    vector.expectNot("projected_every_step", "target_probabilities", Floats.flat(sums));
    vector.expectNot("projected_every_step", "target_probabilities", flat(sums));
    double[] atoms = critic.support().atoms();
    for (int t = 0; t < sums.length; t++) {
      double mean = 0;
      double second = 0;
      for (int i = 0; i < atoms.length; i++) {
        double expected = vector.expected("target_probabilities").get(t).get(i).asDouble();
        assertThat(sums[t][i]).isCloseTo(expected, within(0.003));
        mean += sums[t][i] * atoms[i];
        second += sums[t][i] * atoms[i] * atoms[i];
      }
      double variance = vector.expected("target_variances").get(t).asDouble();
      assertThat(second - mean * mean).isCloseTo(variance, within(0.01 * variance));
    }
  }

  private void checkStatistics(VectorCase vector) {
    ReturnScale scale =
        new ReturnScaleTracker(ReturnScaleConfig.defaults()).commit(vector.doubles("targets_raw"));
    vector.expect("mean", scale.mean());
    vector.expect("std", scale.std());
  }

  private void checkQuantileLoss(VectorCase vector) {
    double[] quantiles = vector.doubles("quantiles");
    checkLoss(
        vector,
        new QuantileCritic(quantiles.length, vector.number("kappa")),
        quantiles,
        "grad_wrt_quantiles");
  }

  private void checkCategoricalLoss(VectorCase vector) {
    CategoricalCritic critic = categorical(vector);
    vector.allowSinglePrecision(4);
    vector.expect("target_probabilities", projected(critic, vector.doubles("targets")));
    checkLoss(vector, critic, vector.doubles("logits"), "grad_wrt_logits");
  }

  private static void checkLoss(
      VectorCase vector, Critic critic, double[] outputs, String gradient) {
    float[] slopes = new float[outputs.length];
    float[] particles = Floats.of(vector.doubles("targets"));
    double loss = critic.loss(Floats.of(outputs), 0, particles, 0, particles.length, 1, slopes);
    vector.allowSinglePrecision(4);
    vector.expect("loss", loss);
    vector.expect(gradient, Floats.widened(slopes));
  }

  private void checkCvar(VectorCase vector) {
    double[] quantiles = vector.doubles("quantiles");
    int count = quantiles.length;
    float[] outputs = unmoved(quantiles);
    Critic critic = quantiles(count);
    critic.read(outputs);
    vector.allowSinglePrecision(4 * Floats.largest(quantiles));
    RiskConfig.CvarMethod tails = RiskConfig.CvarMethod.TAILS;
    double[] alphas = vector.doubles("alphas");
    vector.expect("cvar", Arrays.stream(alphas).map(a -> critic.cvar(a, tails)).toArray());
    double[][] weights = new double[alphas.length][count];
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(quantiles[a], quantiles[b]));
    for (int row = 0; row < alphas.length; row++) {
      // The derivative is that of a distribution which is moved onto its mean head: add the mean's.
      float[] slopes = new float[count + 1];
      double value = critic.cvar(outputs, 0, alphas[row], tails, slopes);
      assertThat(value).isCloseTo(critic.cvar(alphas[row], tails), within(1e-6));
      float[] ofMean = new float[count];
      new QuantileCritic(count, 0).cvar(outputs, 0, alphas[row], tails, ofMean);
      assertThat(slopes[count]).isEqualTo(1);
      double edge = 1 / (2 * count * Math.log(3));
      for (int rank = 0; rank < count; rank++) {
        double inMean =
            1.0 / count
                + (rank == 0 || rank == count - 1 ? edge : 0)
                - (rank == 1 || rank == count - 2 ? edge : 0);
        weights[row][rank] = slopes[order[rank]] + inMean;
      }
    }
    vector.expect("weights_of_sorted_quantiles", weights);
  }

  private void checkStart(VectorCase vector) {
    vector.expect("quantile_bias", quantiles(vector.integer("quantiles")).startingOutputs());
    vector.expect("logit_bias", categorical(vector).startingOutputs());
    vector.ignore("mean_bias", "ActorCriticTest reads the parameter");
  }

  private void checkFirstScale(VectorCase vector) {
    double[] rewards = vector.doubles("rewards");
    ReturnScale scale =
        new ReturnScaleTracker(ReturnScaleConfig.defaults())
            .begin(
                rewards,
                new boolean[rewards.length],
                new boolean[rewards.length],
                1,
                vector.number("gamma"));
    assertThat(ReturnScaleConfig.defaults().stdFloor()).isEqualTo(vector.number("std_floor"));
    vector.expect("mu", scale.mean());
    vector.expect("sigma", scale.std());
  }

  private void checkIndependent(VectorCase vector) {
    double[] gammas = vector.doubles("gammas");
    double std = vector.number("reward_std");
    double[] stds = Arrays.stream(gammas).map(g -> std / Math.sqrt(1 - g * g)).toArray();
    double tail = StandardNormal.conditionalMean(vector.number("alpha"));
    vector.expect("means", new double[gammas.length]);
    vector.expect("stds", stds);
    vector.expect("cvar", Arrays.stream(stds).map(deviation -> tail * deviation).toArray());
  }

  private void checkAutoregression(VectorCase vector) {
    double gamma = vector.number("gamma");
    double phi = vector.number("phi");
    double memory = 1 - gamma * phi;
    double std = vector.number("noise_std") / memory / Math.sqrt(1 - gamma * gamma);
    double[] means = Arrays.stream(vector.doubles("states")).map(x -> phi * x / memory).toArray();
    double tail = StandardNormal.conditionalMean(vector.number("alpha")) * std;
    vector.expect("means", means);
    vector.expect("std", std);
    vector.expect("cvar", Arrays.stream(means).map(mean -> mean + tail).toArray());
  }

  /** All sequences of the remaining coins, equally likely. */
  private void checkCoins(VectorCase vector) {
    double[] states = vector.doubles("states");
    double[] means = new double[states.length];
    double[] tails = new double[states.length];
    for (int i = 0; i < states.length; i++) {
      int left = vector.integer("steps") - (int) states[i];
      double[] sums = new double[1 << left];
      for (int sequence = 0; sequence < sums.length; sequence++) {
        double discount = 1;
        for (int toss = 0; toss < left; toss++) {
          sums[sequence] += (sequence >> toss & 1) == 0 ? -discount : discount;
          discount *= vector.number("gamma");
        }
      }
      Arrays.sort(sums);
      means[i] = Moments.mean(sums);
      double alpha = vector.number("alpha");
      double remaining = alpha * sums.length;
      for (double sum : sums) {
        double taken = Math.max(0, Math.min(1, remaining));
        tails[i] += taken * sum / (alpha * sums.length);
        remaining -= taken;
      }
    }
    vector.expect("means", means);
    vector.expect("cvar", tails);
  }

  private void checkJumps(VectorCase vector) {
    double gamma = vector.number("gamma");
    double chance = vector.number("jump_probability");
    double jump = vector.number("jump_mean");
    double mean = vector.number("mean") - chance * jump;
    double variance =
        Math.pow(vector.number("std"), 2) + 2 * chance * jump * jump - Math.pow(chance * jump, 2);
    vector.expect("mean", mean / (1 - gamma));
    vector.expect("std", Math.sqrt(variance / (1 - gamma * gamma)));
    vector.ignore("cvar", FOR_TRAINING);
  }
}
