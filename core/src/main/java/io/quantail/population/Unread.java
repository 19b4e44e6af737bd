package io.quantail.population;

import io.quantail.config.ConfigException;
import io.quantail.config.CriticType;
import io.quantail.config.RiskMode;
import io.quantail.config.RobustMode;
import io.quantail.config.RunConfig;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Settings that a population cannot move: those that decide what an agent is made of, those that
 * only the beginning of a run reads, and those that nothing reads in the chosen modes.
 */
final class Unread {
  /** What makes it impossible to take over another member's weights and statistics. */
  private static final List<String> FIXED =
      List.of(
          "seed",
          "environment.",
          "network.",
          "critic.type",
          "critic.quantiles",
          "critic.atoms",
          "critic.support",
          "critic.twin",
          "rollout.steps",
          "rollout.lanes",
          "optimizer.name",
          "optimizer.vgs.enabled",
          "training.",
          "evaluation.",
          "market.");

  /** Read once, when a run begins; from then on the value lives in the snapshot. */
  private static final List<String> BEGINNING = List.of("ppo.kl.penalty");

  /**
   * Settings that nothing reads while another setting has a certain value.
   *
   * @param prefix of the settings
   * @param because the other setting
   * @param unread whether nothing reads them
   */
  private record Rule(String prefix, String because, Predicate<RunConfig> unread) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule("risk.", "risk.mode", config -> config.risk().mode() == RiskMode.OFF),
          new Rule("robust.", "robust.mode", config -> config.robust().mode() == RobustMode.OFF),
          new Rule(
              "critic.huberKappa",
              "critic.type",
              config -> config.critic().type() == CriticType.CATEGORICAL),
          new Rule("critic.clip.", "critic.clip.mode", config -> !config.critic().clip().enabled()),
          new Rule("ppo.kl.", "ppo.kl.target", config -> config.ppo().kl().target() == null),
          new Rule(
              "ppo.clipRangeWarmup",
              "ppo.clipRangeWarmupUpdates",
              config -> config.ppo().clipRangeWarmupUpdates() == 0),
          new Rule(
              "ppo.cloning.beta",
              "ppo.cloning.coefficient",
              config -> config.ppo().cloning().coefficient() == 0),
          new Rule(
              "optimizer.momentum",
              "optimizer.name",
              config -> !config.optimizer().name().equals("sgd")),
          new Rule("optimizer.beta1", "optimizer.name", Unread::withoutMoments),
          new Rule("optimizer.beta2", "optimizer.name", Unread::withoutMoments),
          new Rule("optimizer.epsilon", "optimizer.name", Unread::withoutMoments),
          new Rule("optimizer.sigma", "optimizer.name", Unread::withoutUtility),
          new Rule("optimizer.betaUtility", "optimizer.name", Unread::withoutUtility),
          new Rule("optimizer.utilityNorm", "optimizer.name", Unread::withoutUtility),
          new Rule(
              "optimizer.vgs.",
              "optimizer.vgs.enabled",
              config -> !config.optimizer().vgs().enabled()));

  private Unread() {}

  private static boolean withoutMoments(RunConfig config) {
    return List.of("sgd", "upgd").contains(config.optimizer().name());
  }

  private static boolean withoutUtility(RunConfig config) {
    return !config.optimizer().name().contains("upgd");
  }

  /**
   * Refuses a setting that a population cannot move.
   *
   * @param moved all settings that the population moves
   */
  static void check(String path, RunConfig config, Set<String> moved) {
    if (FIXED.stream().anyMatch(path::startsWith)) {
      throw refused(
          path,
          "is the same for all members: a member that copies another takes over weights, statistics"
              + " and the count of steps");
    }
    if (BEGINNING.contains(path)) {
      throw refused(path, "is read when a run begins and never again, so changing it does nothing");
    }
    for (Rule rule : RULES) {
      boolean concerned = path.startsWith(rule.prefix) && !path.equals(rule.because);
      if (concerned && !moved.contains(rule.because) && rule.unread.test(config)) {
        throw refused(path, "is read by nothing while %s is what it is".formatted(rule.because));
      }
    }
  }

  private static ConfigException refused(String path, String why) {
    return new ConfigException("population.hyperparameters." + path + " " + why);
  }
}
