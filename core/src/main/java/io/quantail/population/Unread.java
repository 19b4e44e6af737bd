package io.quantail.population;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.VariedSetting;
import java.util.List;
import java.util.Set;

/**
 * Settings that cannot be hyper-parameters of a population: those that determine the form of an
 * agent, those that only the start of a training reads, and those without effect in the chosen
 * modes.
 */
final class Unread {
  /** Settings that would prevent a member from taking over another member's state. */
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

  /** Settings that are read once, at the start; afterwards the value is in the snapshot. */
  private static final List<String> BEGINNING = List.of("ppo.kl.penalty");

  private Unread() {}

  /**
   * Refuses a setting that cannot be a hyper-parameter.
   *
   * @param moved all hyper-parameters of the population
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
    VariedSetting.requireRead(Space.WHERE, path, config, moved);
  }

  private static ConfigException refused(String path, String why) {
    return new ConfigException(Space.WHERE + path + " " + why);
  }
}
