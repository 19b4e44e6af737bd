package io.quantail.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One row of {@link SettingRules}: the purpose of a setting.
 *
 * <p>Rows are kept in files named {@code settings.txt}, with one line for each setting and columns
 * in the order of the components, separated by {@code |}. Lines that begin with {@code #} are
 * comments; the first other line names the columns.
 *
 * @param path of the setting; {@code *} stands for a name that the user chooses
 * @param resume whether the setting may change when a run is resumed
 * @param population whether a population may use it as a hyper-parameter
 * @param effect what it changes
 * @param idle the condition under which it has no effect, such as {@code risk.mode is off}
 * @param since format of stored settings that has it first: 0 for builds whose {@code config.yaml}
 *     has no format number. A new setting gets {@link SettingRules#FORMAT}
 * @param before value that a stored run without this setting means, as settings are written; {@code
 *     -} if the setting is then not given. It is the default of the build that added the setting
 *     and never changes after a release, not even when the default does
 */
public record SettingRule(
    String path,
    Resume resume,
    Population population,
    Effect effect,
    Optional<Idle> idle,
    int since,
    String before) {
  /** In column {@code before}: the setting is not given. */
  public static final String NOT_GIVEN = "-";

  /** Whether a setting may change when a run is resumed. */
  public enum Resume {
    /** It must not change, because snapshots depend on it. */
    KEEP,
    CHANGE
  }

  /** Whether a population may change a setting. */
  public enum Population {
    /** Determines what one member can copy from another, or how members are compared. */
    FIXED,
    /** It is read only when a run starts; later the snapshot contains the value. */
    BEGINNING,
    FREE
  }

  /** The effect of a setting. */
  public enum Effect {
    /** It changes what an agent learns. */
    LEARNING,
    /**
     * It changes the task, or how agents are evaluated. Scores with different values cannot be
     * compared.
     */
    EVALUATION,
    /** It changes what happens after a failure of an environment or an update. */
    FAULT,
    /** It does not change what an agent learns: speed, safety, measurements, alerts. */
    NONE
  }

  /**
   * A condition under which a setting has no effect.
   *
   * @param path of another setting
   * @param values of that setting, as settings are written
   */
  public record Idle(String path, List<String> values) {
    private static Idle parse(String text) {
      String[] parts = text.split(" is ", 2);
      return new Idle(parts[0], List.of(parts[1].split(", ")));
    }

    boolean holds(Map<String, String> settings) {
      return values.contains(settings.get(path));
    }
  }

  /** Reads rows; {@code owner} is the class beside which {@code settings.txt} is. */
  public static List<SettingRule> table(Class<?> owner) {
    try (InputStream stream = owner.getResourceAsStream("settings.txt");
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return parse(reader.lines().toList());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the settings of " + owner.getName(), failure);
    }
  }

  /** Reads rows from lines with the columns of {@code settings.txt}. */
  public static List<SettingRule> parse(List<String> lines) {
    List<SettingRule> rows = new ArrayList<>();
    lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .skip(1) // names of the columns
        .forEach(line -> rows.add(row(line)));
    return List.copyOf(rows);
  }

  private static SettingRule row(String line) {
    String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
    return new SettingRule(
        cells[0],
        Resume.valueOf(cells[1].toUpperCase(Locale.ROOT)),
        Population.valueOf(cells[2].toUpperCase(Locale.ROOT)),
        Effect.valueOf(cells[3].toUpperCase(Locale.ROOT)),
        cells[4].isEmpty() ? Optional.empty() : Optional.of(Idle.parse(cells[4])),
        Integer.parseInt(cells[5]),
        cells[6]);
  }

  /** Whether this row is about the setting with the given path. */
  boolean matches(String setting) {
    int any = path.indexOf("*");
    return any < 0
        ? path.equals(setting)
        : setting.startsWith(path.substring(0, any)) && setting.endsWith(path.substring(any + 1));
  }

  /** Whether a setting with this value is as in a stored run that does not have it. */
  public boolean isBefore(String value) {
    return before.equals(value) && !before.equals(NOT_GIVEN);
  }
}
