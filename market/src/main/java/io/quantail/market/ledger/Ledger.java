package io.quantail.market.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * File of all evaluations on bars that agents did not learn from, one JSON line each. Lines are
 * only ever added, in one write under a lock of the file, so several processes can use it at a
 * time. A last line without its end was left by a process that was killed; it is removed by the
 * next one that writes.
 *
 * <p>What goes wrong here is reported in one line and never ends a command: the result of a
 * training is worth more than its count. Tested by {@code LedgerTest} and {@code
 * LedgerProcessTest}.
 */
public final class Ledger {
  /** Environment variable with the directory of the ledger; default: {@code runs}. */
  public static final String VARIABLE = "QUANTAIL_LEDGER";

  /** System property that takes precedence over {@link #VARIABLE}, for tests. */
  public static final String PROPERTY = "quantail.ledger";

  /** Locks of a file are those of a process, so threads take turns here. */
  private static final Object TURN = new Object();

  private final Path file;
  private final Consumer<String> warnings;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private final Set<Identity> identities = new HashSet<>();
  private final Map<List<String>, List<String>> sameDays = new HashMap<>();
  private long position; // end of the lines that were read
  private int lines;
  private int damaged;

  /**
   * Creates a reader and writer of a ledger.
   *
   * @param directory of the file, which is made with the first entry
   * @param warnings receives a line for each problem
   */
  public Ledger(Path directory, Consumer<String> warnings) {
    this.file = directory.resolve(RunLayout.LEDGER);
    this.warnings = warnings;
  }

  /** The ledger of this process: in {@link #VARIABLE}, else in {@code runs}. */
  public static Ledger open(Consumer<String> warnings) {
    String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return new Ledger(Path.of(named == null || named.isBlank() ? "runs" : named), warnings);
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** The directory to which series of entries are relative. */
  Path directory() {
    return Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
  }

  /**
   * Adds entries; one that is known, with the same agent, bars and kind, is not added again.
   *
   * @return all entries; empty if the ledger cannot be written or is damaged, after a warning
   */
  Optional<List<LedgerEntry>> add(List<LedgerEntry> fresh) {
    synchronized (TURN) {
      try {
        Files.createDirectories(directory());
        try (FileChannel channel =
                FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          append(channel, repair(channel, read(channel)), fresh);
        }
      } catch (IOException failure) {
        warnings.accept(
            "the ledger %s cannot be written (%s), so the number of evaluations on these bars is not known; set %s to a directory that can be written"
                .formatted(file, reason(failure), VARIABLE));
        return Optional.empty();
      }
      return whole();
    }
  }

  /**
   * Reads all entries.
   *
   * @return the entries; empty if the ledger cannot be read or is damaged, after a warning
   */
  public Optional<List<LedgerEntry>> read() {
    synchronized (TURN) {
      if (Files.notExists(file)) {
        return Optional.of(List.of());
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
          FileLock lock = channel.lock(0, Long.MAX_VALUE, true)) {
        String rest = read(channel);
        if (!rest.isEmpty() && parse(rest) == null) {
          warnings.accept(incomplete("skipped"));
        }
      } catch (IOException failure) {
        warnings.accept(
            "the ledger %s cannot be read (%s), so the number of evaluations is not known"
                .formatted(file, reason(failure)));
        return Optional.empty();
      }
      return whole();
    }
  }

  /** The entries that could be read, also of a damaged ledger. */
  public List<LedgerEntry> readable() {
    return List.copyOf(entries);
  }

  private Optional<List<LedgerEntry>> whole() {
    return damaged > 0 ? Optional.empty() : Optional.of(List.copyOf(entries));
  }

  private static String reason(IOException failure) {
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }

  /** Reads the lines that were added since the last time, and returns what has no line end. */
  private String read(FileChannel channel) throws IOException {
    if (channel.size() < position) {
      forget();
    }
    channel.position(position);
    ByteBuffer chunk = ByteBuffer.allocate(1 << 16);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (channel.read(chunk) >= 0) {
      chunk.flip();
      while (chunk.hasRemaining()) {
        byte character = chunk.get();
        if (character == '\n') {
          position += line.size() + 1L;
          accept(line.toString(StandardCharsets.UTF_8));
          line.reset();
        } else {
          line.write(character);
        }
      }
      chunk.clear();
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private void forget() {
    position = 0;
    lines = 0;
    damaged = 0;
    entries.clear();
    identities.clear();
  }

  private void accept(String line) {
    lines++;
    LedgerEntry entry = parse(line);
    if (entry != null) {
      remember(entry);
    } else if (!line.isBlank()) {
      damaged++;
      warnings.accept(
          String.format(
              Locale.ROOT,
              "line %d of the ledger %s is damaged, so the number of evaluations is not known; correct or delete that line",
              lines,
              file));
    }
  }

  private static @Nullable LedgerEntry parse(String line) {
    try {
      return line.isBlank() ? null : Json.MAPPER.readValue(line, LedgerEntry.class);
    } catch (JsonProcessingException damaged) {
      return null;
    }
  }

  /** Entries on the same bars share one list of days. */
  private void remember(LedgerEntry entry) {
    List<String> same = sameDays.computeIfAbsent(entry.days(), days -> days);
    LedgerEntry kept = entry.withDays(same);
    entries.add(kept);
    identities.add(Identity.of(kept));
  }

  /** What makes an entry a repetition. */
  private record Identity(LedgerEntry.Kind kind, LedgerEntry.Agent agent, List<String> days) {
    static Identity of(LedgerEntry entry) {
      return new Identity(entry.kind(), entry.agent(), entry.days());
    }
  }

  /** Completes or removes a last line without its end; returns what must be written first. */
  private String repair(FileChannel channel, String rest) throws IOException {
    if (rest.isEmpty()) {
      return "";
    }
    if (parse(rest) != null) {
      return "\n";
    }
    channel.truncate(position);
    warnings.accept(incomplete("removed"));
    return "";
  }

  private String incomplete(String treatment) {
    return "the last line of the ledger %s is incomplete, because a process ended while it wrote; it is %s"
        .formatted(file, treatment);
  }

  private void append(FileChannel channel, String first, List<LedgerEntry> fresh)
      throws IOException {
    if (!first.isEmpty()) {
      write(channel, first);
      read(channel);
    }
    StringBuilder text = new StringBuilder();
    Set<Identity> written = new HashSet<>();
    for (LedgerEntry entry : fresh) {
      Identity identity = Identity.of(entry);
      if (!identities.contains(identity) && written.add(identity)) {
        text.append(Json.line(entry)).append('\n');
      }
    }
    if (text.length() > 0) {
      write(channel, text.toString());
      read(channel);
    }
  }

  /** One call for all lines, so that a killed process leaves at most one incomplete line. */
  private static void write(FileChannel channel, String text) throws IOException {
    channel.position(channel.size());
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
