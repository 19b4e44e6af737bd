package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.study.population.JournalEntry;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class PopulationJournalViewTest {
  private static final long MINUTE = 60_000;

  @TempDir private Path directory;
  private PopulationFixture population;
  private RunFiles folder;

  @BeforeEach
  void begin() throws IOException {
    population = new PopulationFixture(directory.toRealPath()).begun(3, 2);
    folder = new RunFiles("population", population.path());
  }

  @Test
  void shouldReadTheResultOfEachMember() {
    population.generations(3, 1).entry(0, 1, 2, 11.5).entry(1, 1, 1, null);
    PopulationJournalView log = PopulationJournalView.of(folder);
    assertThat(log.settings().path("size").asInt()).isEqualTo(3);
    assertThat(log.seed()).isEqualTo("5");
    assertThat(log.entries()).extracting(JournalEntry::source).containsExactly(-1, -1, -1, 2, 1);
    assertThat(log.best().score()).isEqualTo(11.5);
    assertThat(log.problems()).isEmpty();

    PopulationSummary summary = summary(0);
    assertThat(summary.done()).isEqualTo(5);
    assertThat(summary.failed()).isEqualTo(1);
    assertThat(summary.bestScore()).isEqualTo(11.5);
  }

  @Test
  void shouldSkipAndCountMalformedLines() throws IOException {
    population
        .entry(0, 0, -1, 1.0)
        .line("{")
        .line("7")
        .line("null")
        .line("{\"member\":0}")
        .line("{\"member\":-1,\"generation\":0,\"hyperparameters\":{}}")
        .line("{\"member\":2000000000,\"generation\":0,\"hyperparameters\":{}}")
        .line("{\"member\":1,\"generation\":0,\"hyperparameters\":{},\"added\":\"later\"}");
    Files.writeString(population.path().resolve("population.json"), "[");
    PopulationJournalView log = PopulationJournalView.of(folder);
    assertThat(log.entries()).hasSize(2);
    assertThat(log.problems())
        .containsExactly(
            "population.json cannot be read", "6 lines of journal.jsonl are malformed and ignored");
    assertThat(summary(0).members()).isNull();
  }

  @Test
  void shouldIgnoreAnIncompleteLastLine() throws IOException {
    population.entry(0, 0, -1, 1.0);
    Path journal = population.path().resolve("journal.jsonl");
    Files.writeString(journal, Files.readString(journal) + "{\"member\":1,\"gener");
    PopulationJournalView log = PopulationJournalView.of(folder);
    assertThat(log.entries()).hasSize(1);
    assertThat(log.unreadable()).isZero();
  }

  @Test
  void shouldDeriveTheStateFromTheLastWrite() {
    assertThat(summary(0).state()).isEqualTo(RunSummary.State.EMPTY);
    population.generations(3, 1);
    assertThat(summary(9 * MINUTE).state()).isEqualTo(RunSummary.State.RUNNING);
    assertThat(summary(11 * MINUTE).state()).isEqualTo(RunSummary.State.OVERDUE);
    population.entry(0, 1, 0, 1.0).entry(1, 1, 1, 1.0).entry(2, 1, 2, null);
    assertThat(summary(11 * MINUTE).state()).isEqualTo(RunSummary.State.FINISHED);
  }

  private PopulationSummary summary(long millisLater) {
    long written = folder.stamp(RunFiles.JOURNAL).orElseThrow().modifiedMillis();
    return PopulationSummary.of(folder, PopulationJournalView.of(folder), written + millisLater);
  }
}
