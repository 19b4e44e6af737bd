package io.quantail.app.command;

import io.quantail.config.RunConfig;
import io.quantail.run.health.HealthRules;
import io.quantail.run.settings.YamlConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a run and the name of their file.
 *
 * @param name short name, used for the run directory
 * @param config the resolved settings
 */
public record ConfigSource(String name, RunConfig config) {
  private static final String DEMO = "stocks-demo.yaml";

  /** Reads and validates a file, or the demo in the jar if no file is given. */
  public static ConfigSource read(Path file, List<String> overrides) {
    ConfigSource source = readUnchecked(file, overrides);
    HealthRules.of(source.config());
    return source;
  }

  private static ConfigSource readUnchecked(Path file, List<String> overrides) {
    if (file == null) {
      return new ConfigSource("demo", YamlConfig.parse(demo(), DEMO, overrides));
    }
    Path found = find(file);
    String name = found.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return new ConfigSource(name, YamlConfig.load(found, overrides));
  }

  /** The path as given, or in the installation, so that shipped files work in any directory. */
  private static Path find(Path file) {
    String home = System.getProperty("quantail.home");
    if (Files.exists(file) || file.isAbsolute() || home == null) {
      return file;
    }
    Path shipped = Path.of(home).resolve(file);
    return Files.exists(shipped) ? shipped : file;
  }

  private static String demo() {
    try (InputStream stream = ConfigSource.class.getResourceAsStream(DEMO)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
