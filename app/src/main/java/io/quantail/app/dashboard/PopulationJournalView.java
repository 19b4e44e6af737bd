package io.quantail.app.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import io.quantail.run.io.Json;
import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.PopulationResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A running or finished population: its settings, and the result of each member in each generation.
 * {@code PopulationJournalViewTest} pins how it is read.
 *
 * @param settings from {@code population.json}; null if they are unknown
 * @param seed of the population; empty if unknown
 * @param entries of the journal, in file order
 * @param best entry with the highest score; null if none has a score
 * @param unreadable number of malformed lines of the journal
 */
record PopulationJournalView(
    @Nullable JsonNode settings,
    String seed,
    List<JournalEntry> entries,
    @Nullable JournalEntry best,
    int unreadable) {
  private static final int NEWEST_BYTES = 32 << 20; // a line has about 500
  private static final int MOST_MEMBERS = 100_000;
  private static final ObjectReader ENTRIES =
      Json.MAPPER
          .readerFor(JournalEntry.class)
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  static PopulationJournalView of(RunFiles folder) {
    JsonNode report = folder.document(RunFiles.POPULATION);
    JsonNode settings = report.path("settings");
    List<JournalEntry> entries = new ArrayList<>();
    int unreadable = 0;
    for (String line : lines(folder)) {
      JournalEntry entry = entry(line);
      if (entry != null) {
        entries.add(entry);
      } else if (!line.isBlank()) {
        unreadable++;
      }
    }
    return new PopulationJournalView(
        settings.isObject() ? settings : null,
        report.path("seed").asText(""),
        entries,
        PopulationResult.best(entries).orElse(null),
        unreadable);
  }

  /** Complete lines after the first, which is the header. */
  private static List<String> lines(RunFiles folder) {
    try {
      String text = new String(folder.tail(RunFiles.JOURNAL, NEWEST_BYTES), StandardCharsets.UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().skip(1).toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static @Nullable JournalEntry entry(String line) {
    try {
      JournalEntry entry = ENTRIES.readValue(line);
      return entry != null && isPlausible(entry) ? entry : null;
    } catch (JsonProcessingException damaged) {
      return null;
    }
  }

  private static boolean isPlausible(JournalEntry entry) {
    return entry.hyperparameters() != null
        && entry.member() >= 0
        && entry.member() < MOST_MEMBERS
        && entry.generation() >= 0
        && entry.generation() < MOST_MEMBERS;
  }

  /** Problems with the files, as sentences. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (settings == null) {
      problems.add("%s cannot be read".formatted(RunFiles.POPULATION));
    }
    if (unreadable > 0) {
      problems.add(
          String.format(
              Locale.ROOT,
              "%d lines of %s are malformed and ignored",
              unreadable,
              RunFiles.JOURNAL));
    }
    return problems;
  }
}
