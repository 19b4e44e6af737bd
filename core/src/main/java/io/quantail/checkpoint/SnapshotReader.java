package io.quantail.checkpoint;

import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Verifies snapshots and finds the one to use; writes nothing. */
final class SnapshotReader {
  static final String STATE_FILE = "state.safetensors";
  private static final int MAX_RESTARTS = 100;

  private final SnapshotDirectory directory;

  SnapshotReader(SnapshotDirectory directory) {
    this.directory = directory;
  }

  /** Every byte of the snapshot is verified before anything of it is returned. */
  static Loaded read(Path snapshot) {
    Manifest manifest = ManifestFile.read(snapshot).manifest();
    FileDigest expected = manifest.files().get(STATE_FILE);
    if (expected == null || manifest.files().size() != 1) {
      throw new SnapshotException(
          snapshot,
          "manifest must list " + STATE_FILE + " alone, lists " + manifest.files().keySet());
    }
    return new Loaded(readState(snapshot.resolve(STATE_FILE), expected), manifest, List.of());
  }

  private static StateMap readState(Path file, FileDigest expected) {
    try (FileSource source = new FileSource(file)) {
      if (source.size() != expected.size()) {
        throw new SnapshotException(
            file, "has %d bytes, expected %d".formatted(source.size(), expected.size()));
      }
      StateMap state = Safetensors.read(file, source);
      FileDigest found = source.digest();
      if (!found.equals(expected)) {
        throw new SnapshotException(
            file, "has sha256 %s, expected %s".formatted(found.sha256(), expected.sha256()));
      }
      return state;
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  /** LATEST, then the ones before it from new to old, then those a dead writer left after it. */
  Optional<Loaded> latest() {
    return firstGood(Pointer.LATEST, problems -> new ArrayList<>(directory.names()));
  }

  /** BEST, then the others by falling score. */
  Optional<Loaded> best() {
    return firstGood(Pointer.BEST, this::byScore);
  }

  private List<SnapshotName> byScore(Collection<String> problems) {
    Map<SnapshotName, Double> scores = directory.scores(problems);
    List<SnapshotName> names = new ArrayList<>(scores.keySet());
    names.sort(Comparator.comparing(scores::get).reversed());
    return names;
  }

  /**
   * A problem met while a writer was at work may be a snapshot deleted under our hands: look again.
   * One met while nothing in the directory moved is real.
   */
  private Optional<Loaded> firstGood(
      String pointerName, Function<Collection<String>, List<SnapshotName>> candidates) {
    for (int restart = 0; ; restart++) {
      String before = directory.fingerprint();
      Set<String> problems = new LinkedHashSet<>();
      Optional<Pointer> pointer = verifiedPointer(pointerName, problems);
      List<SnapshotName> names = candidates.apply(problems);
      pointer.ifPresent(present -> startAt(present.name(), names));
      if (Pointer.isMissing(directory.resolve(pointerName)) && !names.isEmpty()) {
        problems.add(directory.resolve(pointerName) + ": is missing");
      }
      Optional<Loaded> loaded = firstGood(names, problems);
      if (problems.isEmpty() || restart == MAX_RESTARTS || before.equals(directory.fingerprint())) {
        return requireAny(loaded, problems);
      }
    }
  }

  private static void startAt(SnapshotName name, List<SnapshotName> names) {
    int start = names.indexOf(name);
    if (start < 0) {
      names.add(0, name);
    } else {
      Collections.rotate(names, -start);
    }
  }

  private Optional<Pointer> verifiedPointer(String pointerName, Set<String> problems) {
    Path file = directory.resolve(pointerName);
    try {
      Optional<Pointer> pointer = Pointer.read(file);
      pointer.ifPresent(present -> requireMatch(file, present));
      return pointer;
    } catch (SnapshotException damaged) {
      problems.add(damaged.getMessage());
      return Optional.empty();
    }
  }

  private void requireMatch(Path file, Pointer pointer) {
    Path snapshot = directory.resolve(pointer.name().toString());
    if (!ManifestFile.read(snapshot).sha256().equals(pointer.manifestSha256())) {
      throw new SnapshotException(
          file, "names " + pointer.name() + " but has the hash of another; one is damaged");
    }
  }

  private Optional<Loaded> firstGood(List<SnapshotName> names, Set<String> problems) {
    for (SnapshotName name : names) {
      try {
        Loaded loaded = load(name);
        return Optional.of(
            new Loaded(loaded.state(), loaded.manifest(), new ArrayList<>(problems)));
      } catch (SnapshotException damaged) {
        problems.add(damaged.getMessage());
      }
    }
    return Optional.empty();
  }

  private Loaded load(SnapshotName name) {
    Path snapshot = directory.resolve(name.toString());
    Loaded loaded = read(snapshot);
    long update = loaded.manifest().info().update();
    if (update != name.update()) {
      throw new SnapshotException(snapshot, "holds update " + update + "; it was renamed");
    }
    return loaded;
  }

  private Optional<Loaded> requireAny(Optional<Loaded> loaded, Set<String> problems) {
    if (loaded.isEmpty() && !problems.isEmpty()) {
      throw new SnapshotException(
          directory.path(), "no snapshot can be read: " + String.join("; ", problems));
    }
    return loaded;
  }
}
