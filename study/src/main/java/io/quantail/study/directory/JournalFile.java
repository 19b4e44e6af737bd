package io.quantail.study.directory;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.io.Json;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Journal of a study: one JSON object per line, each on disk before the next step starts. The first
 * line is a head that says which study it is. An incomplete last line, left by a crash, is removed.
 *
 * <p>A journal with an order has its lines in this order, whichever entry comes first, so that its
 * bytes do not depend on who trained the agents. An entry that comes before its turn is kept in a
 * second file, {@code journal.pending.jsonl}, until then.
 *
 * @param <E> entry
 */
public final class JournalFile<E> {
  private final Path file;
  private final Path pendingFile;
  private final Class<E> type;
  private final @Nullable ToLongFunction<E> order;
  private final List<E> entries = new ArrayList<>();
  private final Set<Long> written = new HashSet<>();
  private final TreeMap<Long, E> pending = new TreeMap<>();
  private long turn;

  private JournalFile(Path file, Class<E> type, @Nullable ToLongFunction<E> order) {
    this.file = file;
    this.pendingFile = file.resolveSibling(file.getFileName().toString().replace(".", ".pending."));
    this.type = type;
    this.order = order;
  }

  /**
   * Opens a journal, or begins one.
   *
   * @param <E> entry
   * @param file of the journal
   * @param type of the entries
   * @param order number of the line of an entry, from 0; null if entries come in any order
   * @param head first line of a new journal
   * @param requireHead refuses the first line of another study
   * @return the journal
   */
  public static <E> JournalFile<E> open(
      Path file,
      Class<E> type,
      @Nullable ToLongFunction<E> order,
      Object head,
      Consumer<String> requireHead) {
    JournalFile<E> journal = new JournalFile<>(file, type, order);
    try {
      List<String> lines = completeLines(file);
      if (lines.isEmpty()) {
        append(file, head);
      } else {
        requireHead.accept(lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
          journal.written(Json.MAPPER.readValue(line, type));
        }
      }
      journal.readPending();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot use the journal " + file, failure);
    }
    return journal;
  }

  private void readPending() throws IOException {
    for (String line : completeLines(pendingFile)) {
      E entry = Json.MAPPER.readValue(line, type);
      if (!written.contains(place(entry))) {
        pending.put(place(entry), entry);
        entries.add(entry);
      }
    }
    writeInTurn();
  }

  private void written(E entry) {
    entries.add(entry);
    written.add(place(entry));
    skip();
  }

  /** Moves the turn to the first line that is not written. */
  private void skip() {
    while (written.contains(turn)) {
      turn++;
    }
  }

  private long place(E entry) {
    return order == null ? entries.size() : order.applyAsLong(entry);
  }

  /** Removes an incomplete last line. */
  private static List<String> completeLines(Path file) throws IOException {
    if (Files.notExists(file)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end < bytes.length) {
      try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
        access.setLength(end);
        access.getFD().sync();
      }
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
  }

  /** {@return all entries, also those whose turn has not come} */
  public List<E> entries() {
    return List.copyOf(entries);
  }

  /**
   * Adds an entry and returns when it is on disk.
   *
   * @param entry not in the journal yet
   */
  public void add(E entry) {
    long place = place(entry);
    try {
      if (order == null || place == turn) {
        append(file, entry);
        written.add(place);
        skip();
      } else {
        append(pendingFile, entry);
        pending.put(place, entry);
      }
      entries.add(entry);
      writeInTurn();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the journal " + file, failure);
    }
  }

  /** Writes the entries that wait for lines which will never come. */
  public void flush() {
    try {
      writeUpTo(Long.MAX_VALUE);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the journal " + file, failure);
    }
  }

  private void writeInTurn() throws IOException {
    while (!pending.isEmpty() && pending.firstKey() <= turn) {
      writeUpTo(turn);
    }
  }

  private void writeUpTo(long place) throws IOException {
    while (!pending.isEmpty() && pending.firstKey() <= place) {
      append(file, pending.firstEntry().getValue());
      written.add(pending.pollFirstEntry().getKey());
      skip();
    }
    if (pending.isEmpty()) {
      Files.deleteIfExists(pendingFile);
    }
  }

  /** Uses a stream, which an interrupt does not close in the middle of a line. */
  private static void append(Path file, Object line) throws IOException {
    try (FileOutputStream stream = new FileOutputStream(file.toFile(), true)) {
      stream.write((text(line) + "\n").getBytes(StandardCharsets.UTF_8));
      stream.getFD().sync();
    }
  }

  private static String text(Object line) throws JsonProcessingException {
    return Json.MAPPER.writeValueAsString(line);
  }
}
