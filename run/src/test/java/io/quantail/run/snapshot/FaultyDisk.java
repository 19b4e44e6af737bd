package io.quantail.run.snapshot;

import io.quantail.run.io.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk on which the n-th step goes wrong. Forcing is only kept account of, which makes it fast.
 */
final class FaultyDisk extends DurableFiles {
  /** What happens at the step. */
  enum Fault {
    /** The process dies in the middle of the step. */
    KILL,
    /**
     * The machine loses power: what was not forced is lost, that is, files are empty and renames
     * undone, while deletions have reached the super.
     */
    POWER_CUT,
    /** The same, but of the renames that were not forced only the first is undone. */
    POWER_CUT_REORDERED,
    /** From now on nothing can be created or written. */
    DISK_FULL,
    /** This step fails, the others work. */
    ERROR
  }

  /** Stands for the end of the process: nothing may catch it. */
  static final class Dead extends Error {}

  private record Move(Path from, Path to, byte[] replaced) {}

  private final Fault fault;
  private final int failingStep;
  private final Map<FileChannel, Path> unforced = new HashMap<>();
  private final List<Move> unforcedMoves = new ArrayList<>();
  private int step;
  private boolean dead;

  FaultyDisk(Fault fault, int failingStep) {
    this.fault = fault;
    this.failingStep = failingStep;
  }

  static FaultyDisk sound() {
    return new FaultyDisk(Fault.ERROR, Integer.MAX_VALUE);
  }

  /** Whether the step was ever reached. */
  boolean hasFailed() {
    return step >= failingStep;
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    step(true, () -> {});
    super.createDirectory(directory);
  }

  @Override
  public FileChannel create(Path file) throws IOException {
    step(true, () -> {});
    FileChannel channel = super.create(file);
    unforced.put(channel, file);
    return channel;
  }

  @Override
  public void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    step(true, () -> super.write(channel, bytes.slice(0, bytes.remaining() / 2)));
    super.write(channel, bytes);
  }

  @Override
  public void force(FileChannel channel) throws IOException {
    step(true, () -> {});
    unforced.remove(channel);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    step(true, () -> {});
    unforcedMoves.removeIf(move -> move.to().getParent().equals(directory));
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step(false, () -> {});
    unforcedMoves.add(new Move(from, to, Files.isRegularFile(to) ? Files.readAllBytes(to) : null));
    super.move(from, to);
    unforced.replaceAll(
        (channel, file) -> file.startsWith(from) ? to.resolve(from.relativize(file)) : file);
  }

  @Override
  public void delete(Path path) throws IOException {
    step(false, () -> {});
    super.delete(path);
    unforcedMoves.removeIf(move -> path.startsWith(move.to()));
  }

  private interface Half {
    void happens() throws IOException;
  }

  private void step(boolean needsSpace, Half half) throws IOException {
    if (dead) {
      throw new Dead();
    }
    step++;
    if (step == failingStep || (step > failingStep && fault == Fault.DISK_FULL && needsSpace)) {
      half.happens();
      fail();
    }
  }

  private void fail() throws IOException {
    switch (fault) {
      case DISK_FULL -> throw new FileSystemException("x", null, "No space left on device");
      case ERROR -> throw new IOException("Input/output error");
      case KILL -> dead = true;
      case POWER_CUT, POWER_CUT_REORDERED -> {
        dead = true;
        loseWhatWasNotForced();
      }
    }
    throw new Dead();
  }

  private void loseWhatWasNotForced() throws IOException {
    for (Path file : unforced.values()) {
      if (Files.exists(file)) {
        Files.write(file, new byte[0]);
      }
    }
    int lost = fault == Fault.POWER_CUT ? unforcedMoves.size() : Math.min(1, unforcedMoves.size());
    for (int i = lost - 1; i >= 0; i--) {
      Move move = unforcedMoves.get(i);
      super.move(move.to(), move.from());
      if (move.replaced() != null) {
        Files.write(move.to(), move.replaced());
      }
    }
  }
}
