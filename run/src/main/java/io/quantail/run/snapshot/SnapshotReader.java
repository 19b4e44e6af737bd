package io.quantail.run.snapshot;

import io.quantail.run.io.FileDigest;
import io.quantail.state.HashedFileReader;
import io.quantail.state.Safetensors;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Verifies snapshots and finds the one to use; writes nothing. */
final class SnapshotReader {
  static final String STATE_FILE = "state.safetensors";
  private static final int MAX_RESTARTS = 100;

  private final SnapshotDirectory directory;

  SnapshotReader(SnapshotDirectory directory) {
    this.directory = directory;
  }

  /** Reads a snapshot; every byte is verified before the snapshot is returned. */
  static Snapshot read(Path snapshot) {
    Manifest manifest = Manifest.read(snapshot);
    FileDigest expected = manifest.files().get(STATE_FILE);
    if (expected == null || manifest.files().size() != 1) {
      throw new SnapshotException(
          snapshot,
          "manifest must list " + STATE_FILE + " alone, lists " + manifest.files().keySet());
    }
    StateMap state = readState(snapshot.resolve(STATE_FILE), expected);
    return new Snapshot(snapshot, state, manifest, List.of());
  }

  static StateMap readState(Path file, FileDigest expected) {
    try (HashedFileReader reader = new HashedFileReader(file)) {
      if (reader.size() != expected.size()) {
        throw new SnapshotException(
            file,
            String.format(
                Locale.ROOT, "has %d bytes, expected %d", reader.size(), expected.size()));
      }
      StateMap state = Safetensors.read(reader);
      String found = reader.sha256();
      if (!found.equals(expected.sha256())) {
        throw new SnapshotException(
            file, "has sha256 %s, expected %s".formatted(found, expected.sha256()));
      }
      return state;
    } catch (StateException damaged) {
      throw new SnapshotException(file, damaged);
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  /**
   * Returns the first good snapshot: the one that LATEST names, then those before it from new to
   * old, then newer ones, whose writer stopped before it updated LATEST.
   *
   * <p>If the directory changed during a search with problems, the cause may be a snapshot that a
   * writer has just deleted, and the search starts again. Problems in an unchanged directory are
   * real.
   *
   * @param check throws for snapshots that cannot be used, which then count as damaged
   */
  Optional<Snapshot> latest(Consumer<Snapshot> check) {
    for (int restart = 0; ; restart++) {
      String before = directory.fingerprint();
      Set<String> problems = new LinkedHashSet<>();
      Optional<SnapshotPointer> pointer = verifiedPointer(problems);
      List<SnapshotName> names = new ArrayList<>(directory.names());
      pointer.ifPresent(present -> startAt(present.name(), names));
      if (Files.notExists(directory.pointerFile()) && !names.isEmpty()) {
        problems.add(directory.pointerFile() + ": is missing");
      }
      Optional<Snapshot> found = firstGood(names, problems, check);
      if (problems.isEmpty() || restart == MAX_RESTARTS || before.equals(directory.fingerprint())) {
        return requireAny(found, problems);
      }
    }
  }

  /**
   * Returns the snapshot that KEPT names; empty if there is no such file.
   *
   * @throws SnapshotException if pointer or snapshot are damaged
   */
  Optional<Snapshot> kept() {
    for (int restart = 0; ; restart++) {
      Optional<SnapshotPointer> pointer = SnapshotPointer.read(directory.keptFile());
      try {
        pointer.ifPresent(present -> requireMatch(directory.keptFile(), present));
        return pointer.map(present -> read(present.name()));
      } catch (SnapshotException damaged) {
        // A writer may have moved the pointer and deleted the snapshot since.
        boolean moved = !pointer.equals(SnapshotPointer.read(directory.keptFile()));
        if (!moved || restart == MAX_RESTARTS) {
          throw damaged;
        }
      }
    }
  }

  /** Returns the newest good snapshot of an update; empty if there is none. */
  Optional<Snapshot> ofUpdate(long update) {
    List<SnapshotName> names =
        directory.names().stream().filter(name -> name.update() == update).toList();
    return firstGood(names, new LinkedHashSet<>(), snapshot -> {});
  }

  private static void startAt(SnapshotName name, List<SnapshotName> names) {
    int start = names.indexOf(name);
    if (start < 0) {
      names.add(0, name);
    } else {
      Collections.rotate(names, -start);
    }
  }

  private Optional<SnapshotPointer> verifiedPointer(Set<String> problems) {
    try {
      Optional<SnapshotPointer> pointer = SnapshotPointer.read(directory.pointerFile());
      pointer.ifPresent(present -> requireMatch(directory.pointerFile(), present));
      return pointer;
    } catch (SnapshotException damaged) {
      problems.add(damaged.getMessage());
      return Optional.empty();
    }
  }

  private void requireMatch(Path file, SnapshotPointer pointer) {
    Manifest manifest = Manifest.read(directory.resolve(pointer.name()));
    if (!manifest.sha256().equals(pointer.manifestSha256())) {
      throw new SnapshotException(
          file, "names " + pointer.name() + " but has the hash of another; one is damaged");
    }
  }

  private Optional<Snapshot> firstGood(
      List<SnapshotName> names, Set<String> problems, Consumer<Snapshot> check) {
    for (SnapshotName name : names) {
      try {
        Snapshot good = read(name);
        check.accept(good);
        return Optional.of(
            new Snapshot(
                good.directory(), good.state(), good.manifest(), new ArrayList<>(problems)));
      } catch (SnapshotException damaged) {
        problems.add(damaged.getMessage());
      }
    }
    return Optional.empty();
  }

  private Snapshot read(SnapshotName name) {
    Snapshot snapshot = read(directory.resolve(name));
    long update = snapshot.manifest().info().update();
    if (update != name.update()) {
      throw new SnapshotException(
          snapshot.directory(), "contains update " + update + "; it was renamed");
    }
    return snapshot;
  }

  private Optional<Snapshot> requireAny(Optional<Snapshot> found, Set<String> problems) {
    if (found.isEmpty() && !problems.isEmpty()) {
      throw new SnapshotException(
          directory.path(), "no snapshot can be read: " + String.join("; ", problems));
    }
    return found;
  }
}
