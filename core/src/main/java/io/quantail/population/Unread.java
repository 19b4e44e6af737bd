package io.quantail.population;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.VariedSetting;
import java.util.List;
import java.util.Set;

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

  private Unread() {}

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
    VariedSetting.requireRead(Space.WHERE, path, config, moved);
  }

  private static ConfigException refused(String path, String why) {
    return new ConfigException(Space.WHERE + path + " " + why);
  }
}
