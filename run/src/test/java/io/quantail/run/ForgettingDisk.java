package io.quantail.run;

import io.quantail.random.RandomStream;
import io.quantail.run.io.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk that forgets what was not forced when the power fails at a given step, fills up, or fails.
 *
 * <p>Of a file, any part of what was written since it was last forced may be lost, or be zeros. Of
 * the names that were created or moved since their directory was forced, the last ones are lost, as
 * file systems with a journal do. Deletions are never lost. Files that are not written through
 * {@link DurableFiles} may be cut, emptied or gone.
 */
final class ForgettingDisk extends DurableFiles {
  /** What happens at the step. */
  enum Fault {
    /** The process ends, in the middle of a write. */
    KILL,
    /** The power fails: what was not forced may be lost. */
    POWER_CUT,
    /** From now on nothing can be created or written. */
    FULL,
    /** The step fails, the next ones work. */
    ERROR
  }

  /** Stands for the end of the process: nothing may catch it. */
  static final class Dead extends Error {}

  private interface Undo {
    void run() throws IOException;
  }

  private record Name(Path directory, Undo undo) {}

  private final Path run;
  private final Fault fault;
  private final long failingStep;
  private final RandomStream random;
  private final Map<Path, Long> forced =
      new HashMap<>(); // durable bytes of files that were written
  private final Map<FileChannel, Path> open = new HashMap<>();
  private final List<Name> names = new ArrayList<>();
  private long step;
  private boolean dead;

  ForgettingDisk(Path run, Fault fault, long failingStep, RandomStream random) {
    this.run = run;
    this.fault = fault;
    this.failingStep = failingStep;
    this.random = random;
  }

  /** Number of operations so far. */
  long steps() {
    return step;
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    before(true, null);
    super.createDirectory(directory);
    names.add(new Name(directory.toAbsolutePath().getParent(), () -> deleteTree(directory)));
  }

  @Override
  public FileChannel create(Path file) throws IOException {
    before(true, null);
    FileChannel channel = super.create(file);
    forced.put(file, 0L);
    open.put(channel, file);
    names.add(new Name(file.toAbsolutePath().getParent(), () -> Files.deleteIfExists(file)));
    return channel;
  }

  @Override
  public FileChannel append(Path file) throws IOException {
    before(true, null);
    boolean exists = Files.exists(file);
    FileChannel channel = super.append(file);
    forced.putIfAbsent(file, exists ? channel.size() : 0L);
    open.put(channel, file);
    if (!exists) {
      names.add(new Name(file.toAbsolutePath().getParent(), () -> Files.deleteIfExists(file)));
    }
    return channel;
  }

  @Override
  public void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    before(true, () -> super.write(channel, bytes.slice(0, random.nextInt(bytes.remaining() + 1))));
    super.write(channel, bytes);
  }

  @Override
  public void force(FileChannel channel) throws IOException {
    before(true, null);
    forced.put(open.get(channel), channel.size());
  }

  @Override
  public void force(Path file) throws IOException {
    before(true, null);
    forced.put(file, Files.size(file));
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    before(true, null);
    Path absolute = directory.toAbsolutePath();
    // A journal keeps the order: what came before the last name of this directory is durable too.
    int last = -1;
    for (int i = 0; i < names.size(); i++) {
      last = names.get(i).directory().equals(absolute) ? i : last;
    }
    names.subList(0, last + 1).clear();
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    before(false, null);
    byte[] replaced = Files.isRegularFile(to) ? Files.readAllBytes(to) : null;
    super.move(from, to);
    rename(from, to);
    names.add(
        new Name(
            to.toAbsolutePath().getParent(),
            () -> {
              super.move(to, from);
              if (replaced != null) {
                Files.write(to, replaced);
              }
            }));
  }

  private void rename(Path from, Path to) {
    open.replaceAll((channel, file) -> moved(file, from, to));
    Map<Path, Long> renamed = new HashMap<>();
    forced.forEach((file, size) -> renamed.put(moved(file, from, to), size));
    forced.clear();
    forced.putAll(renamed);
  }

  private static Path moved(Path file, Path from, Path to) {
    return file.startsWith(from)
        ? (file.equals(from) ? to : to.resolve(from.relativize(file)))
        : file;
  }

  @Override
  public void delete(Path path) throws IOException {
    before(false, null);
    super.delete(path);
    forced.remove(path);
    names.removeIf(name -> name.directory().startsWith(path.toAbsolutePath()));
  }

  private void before(boolean needsSpace, @Nullable Undo half) throws IOException {
    if (dead) {
      throw new Dead();
    }
    step++;
    if (step < failingStep) {
      return;
    }
    switch (fault) {
      case FULL -> {
        if (needsSpace) {
          run(half);
          throw new FileSystemException(run.toString(), null, "No space left on device");
        }
      }
      case ERROR -> {
        if (step == failingStep) {
          run(half);
          throw new IOException("Input/output error");
        }
      }
      case KILL -> {
        dead = true;
        run(half);
        throw new Dead();
      }
      case POWER_CUT -> {
        dead = true;
        run(half);
        forget();
        throw new Dead();
      }
    }
  }

  private static void run(@Nullable Undo half) throws IOException {
    if (half != null) {
      half.run();
    }
  }

  private void forget() throws IOException {
    for (Map.Entry<Path, Long> file : forced.entrySet()) {
      if (Files.exists(file.getKey())) {
        lose(file.getKey(), file.getValue());
      }
    }
    int kept = random.nextInt(names.size() + 1);
    for (int i = names.size() - 1; i >= kept; i--) {
      names.get(i).undo().run();
    }
    for (Path file : others()) {
      lose(file, 0);
    }
  }

  /** Files that nobody forces: they are written again, or only shown. */
  private List<Path> others() throws IOException {
    if (Files.notExists(run)) {
      return List.of();
    }
    try (Stream<Path> tree = Files.walk(run)) {
      return tree.filter(Files::isRegularFile)
          .filter(
              file -> {
                String name = run.relativize(file).toString();
                return name.startsWith(RunLayout.TENSORBOARD)
                    || List.of(RunLayout.STATUS, RunLayout.RESULT, RunLayout.SUMS).contains(name);
              })
          .toList();
    }
  }

  private void lose(Path file, long durable) throws IOException {
    byte[] content = Files.readAllBytes(file);
    if (durable >= content.length) {
      return;
    }
    int lost = content.length - (int) durable;
    int length = (int) durable + random.nextInt(lost + 1);
    byte[] left = Arrays.copyOf(content, length);
    if (random.nextInt(3) == 0) {
      int zeros = (int) durable + random.nextInt(lost + 1);
      Arrays.fill(left, Math.min(zeros, length), length, (byte) 0);
    }
    Files.write(file, left, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static void deleteTree(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> tree = Files.walk(directory)) {
        for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
