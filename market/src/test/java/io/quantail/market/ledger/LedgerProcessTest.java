package io.quantail.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.RunLayout;
import io.quantail.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes write into one ledger at a time. */
@Requirement("EVID-11")
class LedgerProcessTest {
  private static final int PROCESSES = 8;
  private static final int ENTRIES = 1_000;

  @TempDir private Path directory;

  @Test
  void shouldKeepEveryLineOfEightProcesses() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int number = 0; number < PROCESSES; number++) {
      processes.add(start(number));
    }
    for (Process process : processes) {
      boolean ended = process.waitFor(300, TimeUnit.SECONDS);
      process.destroyForcibly(); // nothing is left behind, whatever the outcome
      assertThat(ended).as("ends by itself").isTrue();
      assertThat(process.exitValue()).isZero();
    }

    assertThat(directory.resolve("messages")).isEmptyFile();
    assertThat(Files.readAllLines(directory.resolve(RunLayout.LEDGER)))
        .hasSize(PROCESSES * ENTRIES)
        .allMatch(line -> line.startsWith("{\"kind\":\"test\"") && line.endsWith("]}"));
    List<String> warnings = new ArrayList<>();
    List<LedgerEntry> entries = new Ledger(directory, warnings::add).read().orElseThrow();
    assertThat(warnings).isEmpty();
    assertThat(new HashSet<>(entries)).hasSize(PROCESSES * ENTRIES);
    assertThat(new LedgerTrials(entries).count(entries.get(0))).isEqualTo(PROCESSES * ENTRIES);
  }

  private Process start(int number) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            LedgerWriter.class.getName(),
            directory.toString(),
            Integer.toString(number),
            Integer.toString(ENTRIES))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("messages").toFile()))
        .start();
  }
}
