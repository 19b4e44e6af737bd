package io.quantail.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.report.Notice;
import io.quantail.app.report.RunFacts;
import io.quantail.app.report.Setting;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes the report of a run, from what is on disk: {@code train} and a later {@code evaluate} of
 * the same bars write the same bytes.
 */
final class RunReport {

  private RunReport() {}

  static Path write(Path run, RunConfig config, Verdict verdict, Path file) {
    return write(file, verdict.report(facts(run, name(run), config), config));
  }

  /** Writes it into the directory of a run that is going to be elsewhere. */
  static void writeBeforeMoving(Path run, Path place, RunConfig config, Verdict verdict) {
    String page = verdict.report(facts(run, name(place), config), config);
    write(run.resolve(verdict.reportName()), page);
  }

  /** Of a directory, however its path is written. */
  static String name(Path run) {
    return run.toAbsolutePath().normalize().getFileName().toString();
  }

  /** Writes a page, all of it or nothing. */
  static Path write(Path file, String html) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return AtomicFiles.write(file, html);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static RunFacts facts(Path run, String name, RunConfig config) {
    RunMetrics metrics = RunMetrics.read(run, RunFacts.DRAWN.keySet());
    return new RunFacts(
        name,
        config.environment().name(),
        config.seed(),
        metrics.steps(),
        metrics.updates(),
        settings(config),
        versions(run.resolve(RunLayout.RUN)),
        List.copyOf(metrics.curves().values()),
        Notice.of(RunReader.alerts(run)));
  }

  /** All settings, with what is the default for each. */
  static List<Setting> settings(RunConfig config) {
    Map<String, String> defaults = ConfigDiff.flat(defaults(config));
    List<Setting> settings = new ArrayList<>();
    ConfigDiff.flat(config)
        .forEach(
            (path, value) ->
                settings.add(new Setting(path, value, !value.equals(defaults.get(path)))));
    return settings;
  }

  /** With the sections that the run has, each at its defaults. */
  private static RunConfig defaults(RunConfig config) {
    JsonNode known = YamlConfig.toTree(RunConfig.defaults());
    String sections =
        StreamSupport.stream(
                ((Iterable<String>) () -> YamlConfig.toTree(config).fieldNames()).spliterator(),
                false)
            .filter(name -> !known.has(name))
            .map(name -> name + ": {}")
            .collect(Collectors.joining(", ", "{", "}"));
    return YamlConfig.parse(sections, "defaults", List.of());
  }

  private static Map<String, String> versions(Path file) {
    Map<String, String> versions = new TreeMap<>();
    try {
      Json.MAPPER
          .readTree(file.toFile())
          .path("versions")
          .properties()
          .forEach(version -> versions.put(version.getKey(), version.getValue().asText()));
    } catch (IOException unknown) {
      versions.put("versions", "unknown: " + file.getFileName() + " cannot be read");
    }
    return versions;
  }
}
