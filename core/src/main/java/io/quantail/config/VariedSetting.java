package io.quantail.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Checks of a setting that is to have several values, so that none of them is tried in vain. */
public final class VariedSetting {
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
          new Rule("optimizer.beta1", "optimizer.name", VariedSetting::withoutMoments),
          new Rule("optimizer.beta2", "optimizer.name", VariedSetting::withoutMoments),
          new Rule("optimizer.epsilon", "optimizer.name", VariedSetting::withoutMoments),
          new Rule("optimizer.sigma", "optimizer.name", VariedSetting::withoutUtility),
          new Rule("optimizer.betaUtility", "optimizer.name", VariedSetting::withoutUtility),
          new Rule("optimizer.utilityNorm", "optimizer.name", VariedSetting::withoutUtility),
          new Rule(
              "optimizer.vgs.",
              "optimizer.vgs.enabled",
              config -> !config.optimizer().vgs().enabled()));

  private VariedSetting() {}

  private static boolean withoutMoments(RunConfig config) {
    return List.of("sgd", "upgd").contains(config.optimizer().name());
  }

  private static boolean withoutUtility(RunConfig config) {
    return !config.optimizer().name().contains("upgd");
  }

  /**
   * The value of a setting.
   *
   * @param where it was named, in front of its path in messages
   */
  public static JsonNode find(String where, String path, RunConfig config) {
    Map<String, JsonNode> settings = ConfigDiff.values(YamlConfig.toTree(config));
    JsonNode setting = settings.get(path);
    if (setting != null) {
      return setting;
    }
    Optional<String> inside =
        settings.keySet().stream().filter(known -> known.startsWith(path + ".")).findFirst();
    if (inside.isPresent()) {
      throw refused(where, path, "is a section; name one of its settings, such as " + inside.get());
    }
    String hint =
        Names.nearest(path, settings.keySet())
            .map(near -> "did you mean " + near + "?")
            .orElse("settings are listed in docs/configuration.md");
    throw refused(where, path, "names no setting; " + hint);
  }

  /**
   * Refuses a setting that nothing reads in the chosen modes.
   *
   * @param where it was named, in front of its path in messages
   * @param varied all settings that have several values
   */
  public static void requireRead(String where, String path, RunConfig config, Set<String> varied) {
    for (Rule rule : RULES) {
      boolean concerned = path.startsWith(rule.prefix) && !path.equals(rule.because);
      if (concerned && !varied.contains(rule.because) && rule.unread.test(config)) {
        throw refused(
            where, path, "is read by nothing while %s is what it is".formatted(rule.because));
      }
    }
  }

  private static ConfigException refused(String where, String path, String why) {
    return new ConfigException(where + path + " " + why);
  }
}
