package io.quantail.study.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("CLU-2")
class JournalFileTest {
  @TempDir Path directory;

  private record Line(int number, String text) {}

  private JournalFile<Line> open() {
    return JournalFile.open(
        directory.resolve("journal.jsonl"),
        Line.class,
        Line::number,
        Map.of("format", 1),
        head -> assertThat(head).isEqualTo("{\"format\":1}"));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(directory.resolve("journal.jsonl"));
  }

  private static String json(int number) {
    return "{\"number\":" + number + ",\"text\":\"line " + number + "\"}";
  }

  @Test
  void shouldHaveItsOrderWhicheverEntryComesFirst() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      Files.deleteIfExists(directory.resolve("journal.jsonl"));
      Random random = new Random(seed);
      List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
      Collections.shuffle(order, random);
      JournalFile<Line> journal = open();
      for (int number : order) {
        journal.add(new Line(number, "line " + number));
        if (random.nextInt(3) == 0) {
          journal = open(); // the process was killed
        }
        assertThat(journal.entries()).contains(new Line(number, "line " + number));
      }
      assertThat(journal.entries()).as("seed %d", seed).hasSize(8);
      assertThat(lines()).as("seed %d", seed).hasSize(9).contains(json(7));
      assertThat(lines().subList(1, 9)).as("seed %d", seed).isSorted();
      assertThat(directory.resolve("journal.pending.jsonl")).doesNotExist();
    }
  }

  @Test
  void shouldKeepWhatWaitsOnDisk() throws IOException {
    open().add(new Line(2, "line 2"));
    assertThat(lines()).hasSize(1);
    Path pending = directory.resolve("journal.pending.jsonl");
    assertThat(pending).hasContent(json(2));

    // A crash in the middle of a line, and one between the journal and the pending file.
    Files.writeString(pending, "{\"number\":1,\"te", StandardOpenOption.APPEND);
    JournalFile<Line> journal = open();
    assertThat(journal.entries()).containsExactly(new Line(2, "line 2"));
    journal.add(new Line(0, "line 0"));
    Files.writeString(pending, json(0) + "\n", StandardOpenOption.APPEND);
    journal = open();
    assertThat(journal.entries()).hasSize(2);
    journal.flush();
    assertThat(lines().subList(1, 3)).containsExactly(json(0), json(2));
    assertThat(pending).doesNotExist();
  }

  /** A journal of an older build has its lines in the order in which members ended. */
  @Test
  void shouldContinueAJournalWithoutOrder() throws IOException {
    Path file = directory.resolve("journal.jsonl");
    Files.writeString(file, "{\"format\":1}\n" + json(2) + "\n" + json(0) + "\n");
    JournalFile<Line> journal = open();
    journal.add(new Line(3, "line 3"));
    journal.add(new Line(1, "line 1"));
    assertThat(lines().subList(1, 5)).containsExactly(json(2), json(0), json(1), json(3));
  }
}
