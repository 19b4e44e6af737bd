package io.quantail.audit.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RiskConfig.CvarMethod;
import io.quantail.config.RunConfig;
import io.quantail.rollout.Gae;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The reference implementation gives the published numbers, without any production class. */
@Requirement("DIST-1")
class ReferenceReturnsTest {
  private static final double CLOSE = 1e-9;

  private static ReferenceDistribution unmoved(double... quantiles) {
    double mean = ReferenceDistribution.ofQuantiles(quantiles, 0).unmovedMean();
    return ReferenceDistribution.ofQuantiles(quantiles, mean);
  }

  private static ReferenceCritic critic(String... settings) {
    return new ReferenceCritic(SmallRuns.of(RunConfig.defaults(), settings).critic());
  }

  private static Gae.Input input(double[] rewards, boolean[] terminated, double gamma) {
    int size = rewards.length;
    return new Gae.Input(
        1,
        rewards,
        new double[size],
        terminated,
        new boolean[size],
        new double[size],
        new double[1],
        gamma,
        0.5);
  }

  /** Vector {@code draw_quantile_with_tails}. */
  @Test
  void shouldReadTailsBeyondTheOutermostQuantiles() {
    ReferenceDistribution read = unmoved(1.282, 3.396, 0.784, 1.996, -0.644, -2.132, 0.124);

    assertThat(read.draw(0)).isCloseTo(-11.488112216427812, within(CLOSE));
    assertThat(read.draw(0.02)).isCloseTo(-3.8561504989043547, within(CLOSE));
    assertThat(read.draw(0.2)).isCloseTo(-0.7928, within(CLOSE));
    assertThat(read.draw(0.77)).isCloseTo(1.91746, within(CLOSE));
    assertThat(read.draw(0.985)).isCloseTo(5.3847879191842845, within(CLOSE));
  }

  /** Vector {@code cvar_with_tails}. */
  @Test
  void shouldIntegrateTheTail() {
    ReferenceDistribution read =
        unmoved(2.226, -2.667, -0.974, -0.607, -1.121, -2.55, -0.418, -1.925, -1.358);

    assertThat(read.cvar(0.01, CvarMethod.TAILS)).isCloseTo(-2.9561205745311954, within(CLOSE));
    assertThat(read.cvar(0.2, CvarMethod.TAILS)).isCloseTo(-2.6289577748653716, within(CLOSE));
    assertThat(read.cvar(0.97, CvarMethod.TAILS)).isCloseTo(-1.1334631205820365, within(CLOSE));
    assertThat(read.cvar(1, CvarMethod.TAILS)).isCloseTo(-0.9159903041285544, within(CLOSE));
  }

  @Test
  void shouldMoveEveryReadingOntoTheMeanHead() {
    ReferenceDistribution read = critic("critic.quantiles=3").read(new double[] {2, -1, 0, 5});

    for (CvarMethod method : CvarMethod.values()) {
      assertThat(read.cvar(1, method)).isCloseTo(5, within(CLOSE));
    }
    assertThat(read.quantile(0.5)).isCloseTo(5 - read.unmovedMean(), within(CLOSE));
  }

  /** Vector {@code targets_units_mean_not_dropped}. */
  @Test
  void shouldFollowParticlesInRawUnits() {
    double[][][] following = new double[3][][];
    Arrays.fill(following, new double[][] {{-1, 0, 1}});
    ReturnScale scale = new ReturnScale(0.8, 0.5);
    double[][] raw =
        ReferenceReturns.particles(
                input(new double[] {0.2, -0.1, 0.4}, new boolean[] {false, false, true}, 0.9),
                new double[] {0.25, 0.375, 0.75},
                2,
                0.5,
                ReferenceReturns.predicted(critic("critic.meanHead=false"), following, scale))
            .values();

    double[][] expected = {{-0.732, 0.24}, {-1.08, 0.315}, {-0.8, -0.8}};
    for (int step = 0; step < expected.length; step++) {
      assertThat(ReferenceAdvantages.targets(raw[step], scale))
          .containsExactly(expected[step], within(CLOSE));
    }
  }

  /** Vectors {@code set_loss_pinball} and {@code set_loss_huber_small}. */
  @Test
  void shouldComputeTheLossAgainstParticles() {
    double[] quantiles = {1.772, -0.82, 0.131, 0.481, -0.817, -1.549};

    assertThat(
            critic("critic.huberKappa=0")
                .pointLoss(quantiles, new double[] {-1.886, -0.451, 0.824, -0.399, -0.445}))
        .isCloseTo(0.8067388888888885, within(CLOSE));
    assertThat(
            critic("critic.huberKappa=0.05")
                .pointLoss(quantiles, new double[] {-1.886, -0.451, 0.824, -0.399, 0.162}))
        .isCloseTo(0.7926834722222222, within(CLOSE));
  }

  /** Vectors {@code first_scale} and {@code head_start}. */
  @Test
  void shouldStartWithTheScaleOfTheRewardsAndNormalQuantiles() {
    double[] rewards = {
      0.0012, -0.00603, -0.00511, 0.00017, -0.00703, -0.01639, -0.01421, -0.01007, 0.0096, -0.00035,
      0.006, -0.0021
    };
    ReturnScaleConfig config =
        SmallRuns.of(
                RunConfig.defaults(),
                "returns.mode=z-score",
                "returns.stdFloor=0.003",
                "returns.scaleCap=1e9")
            .returns();

    assertThat(ReferenceReturns.firstScale(input(rewards, new boolean[12], 0.9), config))
        .containsExactly(new double[] {-0.036933333333333346, 0.016940658382505344}, within(CLOSE));
    assertThat(critic().start(7)[1]).isCloseTo(-0.7916386077433746, within(CLOSE));
    assertThat(critic("critic.type=categorical", "critic.support=3").start(7)[0])
        .isCloseTo(-5.418667855864838, within(CLOSE));
  }

  @Test
  void shouldKeepParticlesAwayFromQuantiles() {
    double[] quantiles = {0, 0.0001, 0.00015, 1};

    double[] apart =
        critic("critic.huberKappa=0").separated(new double[] {0.00001, 0.5, 1}, 0.001, quantiles);

    assertThat(apart[1]).isEqualTo(0.5);
    for (double particle : apart) {
      assertThat(Arrays.stream(quantiles).map(q -> Math.abs(q - particle)).min().orElseThrow())
          .isGreaterThanOrEqualTo(0.001);
    }
  }
}
