package io.quantail;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.RunConfig;
import io.quantail.run.RunReader;
import io.quantail.run.settings.GivenSettings;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a training by path, such as {@code ppo.clipRange}; the same as in a YAML file and
 * after {@code --set}. Immutable.
 *
 * <p>An unknown path is refused at once. Values are checked together when they are used, because
 * some depend on each other; {@link #check} does it at any time. Refusals are {@link
 * io.quantail.error.SettingsException}s.
 */
public final class Settings {
  private static final String HERE = "the settings";

  private final GivenSettings given;

  private Settings(GivenSettings given) {
    this.given = given;
  }

  /** {@return the settings of a training that nothing was changed of} */
  public static Settings defaults() {
    return new Settings(GivenSettings.none());
  }

  /**
   * Reads a YAML file; settings that it does not name have their defaults.
   *
   * @param yaml the file
   * @return its settings
   */
  public static Settings load(Path yaml) {
    return new Settings(GivenSettings.load(yaml)).check();
  }

  /**
   * Reads a YAML text; settings that it does not name have their defaults.
   *
   * @param yaml the text
   * @return its settings
   */
  public static Settings parse(String yaml) {
    return new Settings(GivenSettings.parse(yaml, HERE)).check();
  }

  /** The settings of a run. */
  static Settings stored(Path directory) {
    return of(RunReader.config(directory));
  }

  static Settings of(RunConfig config) {
    return new Settings(GivenSettings.of(config));
  }

  /**
   * Changes one setting.
   *
   * @param path such as {@code ppo.clipRange}
   * @param value a number, a flag, a text, a list, a {@link Schedule} or null; a text is read as in
   *     YAML
   * @return these settings with the change
   */
  public Settings with(String path, @Nullable Object value) {
    Object plain = value instanceof Schedule schedule ? schedule.course() : value;
    return new Settings(given.with(path, plain, HERE));
  }

  /**
   * Reads one setting.
   *
   * @param path such as {@code ppo.clipRange}
   * @return a {@code Long}, a {@code Double}, a {@code Boolean}, a {@code String}, a {@code List},
   *     a {@link Schedule} or null
   */
  public @Nullable Object get(String path) {
    return front(given.get("", path));
  }

  /** {@return the settings that differ from the defaults, by path} */
  public Map<String, @Nullable Object> changed() {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>();
    given.changed().forEach((path, value) -> changed.put(path, front(value)));
    return Collections.unmodifiableMap(changed);
  }

  private static @Nullable Object front(@Nullable Object value) {
    return value instanceof CoefficientSchedule course ? Schedule.of(course) : value;
  }

  /**
   * Checks all values.
   *
   * @return these settings
   */
  public Settings check() {
    config();
    return this;
  }

  /** {@return all settings, defaults included, as the text of a YAML file} */
  public String toYaml() {
    return given.toYaml();
  }

  RunConfig config() {
    return given.config();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Settings settings && given.equals(settings.given);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }

  @Override
  public String toString() {
    return changed().toString();
  }
}
