package io.quantail.market.ledger;

import static io.quantail.market.ledger.LedgerWriter.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.RunLayout;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("EVID-11")
class LedgerTest {
  @TempDir private Path directory;
  private final List<String> warnings = new ArrayList<>();
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("here").resolve(RunLayout.LEDGER);
  }

  private Ledger ledger() {
    return new Ledger(file.getParent(), warnings::add);
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  @Test
  void shouldAddATrialOnce() throws IOException {
    Ledger first = ledger();
    Ledger second = ledger();
    assertThat(
            first.add(List.of(entry("a", 1, "d1", "d2"), entry("a", 1, "d1", "d2"))).orElseThrow())
        .hasSize(1);
    assertThat(second.add(List.of(entry("a", 1, "d1", "d2"))).orElseThrow()).hasSize(1);
    second.add(List.of(entry("a", 2, "d1", "d2"))); // another seed
    second.add(List.of(entry("a", 1, "d1", "d3"))); // other bars
    assertThat(
            first.add(List.of(entry("b", 1, "d1", "d2"), entry("a", 2, "d1", "d2"))).orElseThrow())
        .hasSize(4);
    assertThat(Files.readAllLines(file)).hasSize(4);
    assertThat(ledger().read()).isEqualTo(first.read());
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldCountSettingsAndSeedsThatShareADay() {
    LedgerEntry selection = entry("c", 1, "d1").asSelection("c", 1);
    Ledger ledger = ledger();
    ledger.add(
        List.of(
            entry("a", 1, "d1", "d2"),
            entry("a", 1, "d2", "d3"),
            entry("b", 1, "d3"),
            entry("a", 2, "d2"),
            selection));
    LedgerTrials trials = new LedgerTrials(ledger.read().orElseThrow());
    assertThat(trials.count(entry("a", 1, "d1", "d2"))).isEqualTo(2);
    assertThat(trials.count(entry("a", 1, "d3"))).isEqualTo(2);
    assertThat(trials.count(entry("new", 1, "d2", "d3"))).isEqualTo(4);
    assertThat(trials.count(entry("new", 1, "d9"))).isEqualTo(1);
    assertThat(trials.others(entry("a", 1, "d1", "d2")).keySet())
        .containsExactly(new LedgerEntry.Agent("a", 2));
  }

  @Test
  void shouldRemoveTheIncompleteLineOfAKilledProcess() throws IOException {
    ledger().add(List.of(entry("a", 1, "d1")));
    String line = Files.readString(file);
    append(line.substring(0, line.length() / 2));
    assertThat(ledger().read().orElseThrow()).hasSize(1);
    assertThat(ledger().add(List.of(entry("b", 1, "d1"))).orElseThrow()).hasSize(2);
    assertThat(warnings).hasSize(2);
    assertThat(warnings.get(0)).contains("is incomplete", "it is skipped").doesNotContain("\n");
    assertThat(warnings.get(1)).contains("is incomplete", "it is removed");
    assertThat(Files.readAllLines(file)).hasSize(2).first().isEqualTo(line.strip());
  }

  @Test
  void shouldKeepALastLineThatLacksItsEndOnly() throws IOException {
    ledger().add(List.of(entry("a", 1, "d1")));
    Files.writeString(file, Files.readString(file).strip());
    assertThat(ledger().add(List.of(entry("a", 1, "d1"))).orElseThrow()).hasSize(1);
    assertThat(ledger().add(List.of(entry("b", 1, "d1"))).orElseThrow()).hasSize(2);
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldNotCountInADamagedLedgerButKeepWhatIsNew() throws IOException {
    ledger().add(List.of(entry("a", 1, "d1")));
    String line = Files.readString(file);
    append("{\"kind\":\"test\",\"settings\":\n\n");
    append(line.replace("2024-01-02T00:00:00Z", "yesterday"));
    Ledger ledger = ledger();
    assertThat(ledger.add(List.of(entry("b", 1, "d1")))).isEmpty();
    assertThat(warnings).hasSize(2);
    assertThat(warnings.get(1)).contains("line 4 of");
    assertThat(warnings.get(0))
        .contains("line 2 of the ledger " + file + " is damaged", "correct or delete that line");
    assertThat(ledger.readable()).hasSize(2);
    assertThat(Files.readAllLines(file)).hasSize(5);
  }

  @Test
  void shouldReportInOneLineThatItCannotWrite() throws IOException {
    Path taken = Files.writeString(directory.resolve("file"), "no directory");
    Ledger ledger = new Ledger(taken, warnings::add);
    assertThat(ledger.add(List.of(entry("a", 1, "d1")))).isEmpty();
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0))
        .contains("cannot be written", "not known; set QUANTAIL_LEDGER to a directory")
        .doesNotContain("\n");
    Files.createDirectories(file); // a directory in the place of the file
    assertThat(ledger().read()).isEmpty();
    assertThat(warnings.get(1)).contains("cannot be read");
  }

  @Test
  void shouldReadEntriesOfLaterVersionsAndStartAgainAfterDeletion() throws IOException {
    Ledger ledger = ledger();
    assertThat(ledger.read().orElseThrow()).isEmpty();
    ledger.add(List.of(entry("a", 1, "d1")));
    append(Files.readString(file).replace("\"seed\":1", "\"seed\":2,\"later\":{}"));
    assertThat(ledger.read().orElseThrow()).hasSize(2);
    Files.delete(file);
    assertThat(ledger.add(List.of(entry("a", 1, "d1"))).orElseThrow()).hasSize(1);
    assertThat(warnings).isEmpty();
  }
}
