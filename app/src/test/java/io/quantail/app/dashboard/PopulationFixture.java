package io.quantail.app.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.study.population.JournalEntry;
import java.nio.file.Path;
import java.util.Map;

/** Writes directories of populations as {@code population} does, without training. */
final class PopulationFixture {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RunFixture files;

  PopulationFixture(Path directory) {
    files = new RunFixture(directory);
  }

  Path path() {
    return files.path();
  }

  /** Settings and an empty journal; two hyper-parameters, a number and a word. */
  PopulationFixture begun(int members, int generations) {
    files.write(
        "population.json",
        """
        {"settings": {"size": %d, "generations": %d, "selection": "TRUNCATION", "hyperparameters": {
          "optimizer.learningRate": {"min": 1e-5, "max": 0.01, "scale": "LOG", "values": []},
          "optimizer.schedule": {"scale": "LINEAR", "values": ["constant", "linear"]}}},
         "seed": 5, "generations": [], "lineage": [], "best": null}
        """
            .formatted(members, generations));
    files.write("journal.jsonl", "{\"format\":1,\"configHash\":\"0\"}\n");
    return this;
  }

  /**
   * One more line of the journal.
   *
   * @param source -1 when it begins
   * @param score null when it failed
   */
  PopulationFixture entry(int member, int generation, int source, Double score) {
    JournalEntry entry =
        new JournalEntry(
            member,
            generation,
            source,
            7,
            Map.of(
                "optimizer.learningRate",
                String.valueOf(1e-4 * (1 + member)),
                "optimizer.schedule",
                member % 2 == 0 ? "constant" : "linear"),
            score != null,
            null,
            null,
            score,
            null,
            2 * (generation + 1),
            2_048L * (generation + 1),
            1e-4,
            score == null ? "it broke" : null);
    try {
      return line(JSON.writeValueAsString(entry));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  PopulationFixture line(String text) {
    files.append("journal.jsonl", text + "\n");
    return this;
  }

  /** Whole generations in which the last member always copies the first one. */
  PopulationFixture generations(int members, int generations) {
    for (int generation = 0; generation < generations; generation++) {
      for (int member = 0; member < members; member++) {
        int source = generation == 0 ? -1 : member == members - 1 ? 0 : member;
        entry(member, generation, source, 10.0 * generation + member);
      }
    }
    return this;
  }
}
