package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.tasks.EpisodeExposure;
import io.quantail.env.tasks.Exposure;
import io.quantail.env.tasks.FatTailExposure;
import io.quantail.env.tasks.TailBandit;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The limit on the tail is met where the answer is known; the expected numbers are computed from
 * the tasks, not written in. One seed here, five with the tag {@code learning}.
 */
class RiskLimitTest {
  private static final EvaluationConfig MANY = new EvaluationConfig(10_000, true, 1_000);
  private static final EvaluationConfig SAMPLED = new EvaluationConfig(20_000, false, 1_000);

  @Test
  @Requirement("CVAR-4")
  void shouldKeepTheTailWithinTheLimitAtTheBestFeasibleExposure() {
    requireLimitMet(exposure("seed=1"), "seed=1");
  }

  @Test
  @Tag("learning")
  @Requirement("CVAR-4")
  void shouldMeetTheLimitWithFiveSeeds() {
    for (int seed = 1; seed <= 5; seed++) {
      requireLimitMet(exposure("seed=" + seed), "seed=" + seed);
    }
  }

  /**
   * With a wider policy: the narrow one of the configuration is slow to reach the end of the range.
   */
  @Test
  @Tag("learning")
  void shouldStakeAllWithoutALimit() {
    double[] exposures =
        IntStream.rangeClosed(1, 5)
            .mapToDouble(
                seed ->
                    exposure("seed=" + seed, "risk.mode=off", "network.sigmaMax=1.5")
                        .meanAction()
                        .get(0))
            .toArray();
    System.out.println("exposure without limit " + Arrays.toString(exposures));
    assertThat(Arrays.stream(exposures)).allMatch(exposure -> exposure >= 0.95);
  }

  @Test
  @Requirement("CVAR-4")
  void shouldPickTheThinTailUnderALimit() {
    assertThat(fatShare("seed=1")).isLessThanOrEqualTo(0.05);
  }

  @Test
  @Tag("learning")
  @Requirement("CVAR-4")
  void shouldPickTheThinTailUnderALimitWithFiveSeeds() {
    double[] limited =
        IntStream.rangeClosed(1, 5).mapToDouble(s -> fatShare("seed=" + s)).toArray();
    double[] neutral =
        IntStream.rangeClosed(1, 5)
            .mapToDouble(s -> fatShare("seed=" + s, "risk.mode=off"))
            .toArray();
    System.out.println("share of the fat tail, limited " + Arrays.toString(limited));
    System.out.println("share of the fat tail, neutral " + Arrays.toString(neutral));
    assertThat(Arrays.stream(limited)).allMatch(share -> share <= 0.05);
    assertThat(Arrays.stream(neutral)).allMatch(share -> share > 0.05 && share < 0.95);
    assertThat(Arrays.stream(neutral).average().orElseThrow()).isBetween(0.25, 0.75);
  }

  @Test
  @Requirement("CVAR-6")
  void shouldLimitWholeEpisodes() {
    requireEpisodesLimited(episodes("seed=1"));
  }

  @Test
  @Tag("learning")
  @Requirement("CVAR-6")
  void shouldLimitWholeEpisodesWithFiveSeeds() {
    for (int seed = 1; seed <= 5; seed++) {
      requireEpisodesLimited(episodes("seed=" + seed));
    }
  }

  private static EvaluationSummary episodes(String... overrides) {
    return evaluation(config("episode-exposure", overrides), SAMPLED);
  }

  /** Measured with sampled actions, as the limit is. */
  private static void requireEpisodesLimited(EvaluationSummary evaluation) {
    RunConfig config = config("episode-exposure");
    double limit = config.risk().limit();
    double best = limit / EpisodeExposure.cvar(config.risk().alpha());
    System.out.println(
        "CVaR of an episode %s, exposure %s; limit %s, best exposure %s"
            .formatted(evaluation.cvarReturn(), evaluation.meanAction(), limit, best));
    assertThat(evaluation.cvarReturn()).isBetween(limit, 0.88 * limit);
    assertThat(evaluation.meanAction().get(0)).isBetween(0.88 * best, best);
  }

  /** The tail is fat and the volatility hidden: an agent with memory beats any constant stake. */
  @Test
  @Tag("learning")
  @Requirement("CVAR-4")
  void shouldMeetTheLimitUnderFatTailsAndEarnMoreThanAConstantStake() {
    RunConfig config = config("fat-tails", "seed=1");
    double limit = config.risk().limit();
    EvaluationSummary evaluation = evaluation(config, SAMPLED);
    double constant =
        FatTailExposure.ROUNDS
            * FatTailExposure.DRIFT
            * limit
            / FatTailExposure.cvar(config.risk().alpha());
    System.out.println(evaluation + " limit " + limit + " constant stake earns " + constant);
    assertThat(evaluation.cvarReward()).isBetween(limit, 0.9 * limit);
    assertThat(evaluation.meanReturn()).isGreaterThan(constant);
  }

  private static void requireLimitMet(EvaluationSummary evaluation, String... overrides) {
    RunConfig config = config("exposure", overrides);
    double limit = config.risk().limit();
    double best = limit / Exposure.change().cvar(config.risk().alpha());
    System.out.println(evaluation + " limit " + limit + " best exposure " + best);
    assertThat(evaluation.cvarReward()).isBetween(limit, 0.9 * limit);
    assertThat(Math.abs(evaluation.meanAction().get(0) - best)).isLessThanOrEqualTo(0.07);
  }

  private static EvaluationSummary exposure(String... overrides) {
    return evaluation(config("exposure", overrides), MANY);
  }

  /** How often the arm with the fat tail is drawn by the policy that was learnt. */
  private static double fatShare(String... overrides) {
    assertThat(TailBandit.arms().get(TailBandit.THIN).mean())
        .isCloseTo(TailBandit.arms().get(TailBandit.FAT).mean(), within(1e-12));
    return evaluation(config("tail-bandit", overrides), SAMPLED).meanAction().get(TailBandit.FAT);
  }

  private static EvaluationSummary evaluation(RunConfig config, EvaluationConfig settings) {
    EnvironmentFactory factory = EnvironmentRegistry.byName(config.environment().name());
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      return Evaluator.evaluate(trainer.agent(), factory, settings, config.seed());
    }
  }

  private static RunConfig config(String name, String... overrides) {
    Path file = Path.of(System.getProperty("quantail.root"), "configs", "risk", name + ".yaml");
    return YamlConfig.load(file, List.of(overrides));
  }
}
