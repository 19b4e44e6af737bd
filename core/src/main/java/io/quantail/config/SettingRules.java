package io.quantail.config;

import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRule.Idle;
import io.quantail.config.SettingRule.Population;
import io.quantail.config.SettingRule.Resume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The purpose of each setting, as a table: whether it may change on resume, whether a population
 * may change it, its effect, when it has none, and its value in stored runs that lack it.
 *
 * <p>The rows of the learner are in {@code settings.txt} beside this class, those of a section of
 * another module come from its {@link ConfigExtension}. {@code SettingRulesTest} fails if a setting
 * has no row.
 */
public final class SettingRules {
  /** Format of stored settings that this build writes. */
  public static final int FORMAT = 3;

  private static final List<SettingRule> LEARNER = SettingRule.table(SettingRules.class);

  private final List<SettingRule> rows;

  private SettingRules(List<SettingRule> rows) {
    this.rows = List.copyOf(rows);
  }

  /** The rows of the learner and of all sections of other modules. */
  public static SettingRules all() {
    List<SettingRule> rows = new ArrayList<>(LEARNER);
    ServiceLoader.load(ConfigExtension.class).forEach(section -> rows.addAll(section.rules()));
    return new SettingRules(rows);
  }

  public List<SettingRule> rows() {
    return rows;
  }

  /** The row of a setting. A setting without a row binds runs, is fixed, and is always hashed. */
  public SettingRule of(String path) {
    return rows.stream()
        .filter(row -> row.matches(path))
        .findFirst()
        .orElseGet(
            () ->
                new SettingRule(
                    path,
                    Resume.KEEP,
                    Population.FIXED,
                    Effect.LEARNING,
                    Optional.empty(),
                    0,
                    SettingRule.NOT_GIVEN));
  }

  /**
   * Refuses a setting that has no effect on what an agent learns, so that no trainings are wasted
   * on its values.
   *
   * @param where the setting was named, in front of its path in messages
   * @param settings all settings as they are written, by path
   * @param varied all settings that have several values
   */
  public void requireEffect(
      String where, String path, Map<String, String> settings, Set<String> varied) {
    SettingRule rule = of(path);
    if (rule.effect() == Effect.NONE) {
      throw refused(where, path, "does not change what an agent learns");
    }
    Optional<Idle> idle =
        rule.idle()
            .filter(condition -> !varied.contains(condition.path()) && condition.holds(settings));
    if (idle.isPresent()) {
      String other = idle.get().path();
      throw refused(
          where,
          path,
          "has no effect while %s is %s; set %s first"
              .formatted(other, settings.get(other), other));
    }
  }

  /**
   * Refuses a setting that cannot be a hyper-parameter of a population.
   *
   * @param where the setting was named, in front of its path in messages
   * @param settings all settings as they are written, by path
   * @param moved all settings that the population changes
   */
  public void requireMovable(
      String where, String path, Map<String, String> settings, Set<String> moved) {
    switch (of(path).population()) {
      case FIXED ->
          throw refused(
              where,
              path,
              "is the same for all members: a member that copies another takes over weights,"
                  + " statistics and the count of steps");
      case BEGINNING ->
          throw refused(
              where, path, "is only read when a run begins, so a later change has no effect");
      case FREE -> requireEffect(where, path, settings, moved);
    }
  }

  private static ConfigException refused(String where, String path, String why) {
    return new ConfigException(where + path + " " + why);
  }
}
