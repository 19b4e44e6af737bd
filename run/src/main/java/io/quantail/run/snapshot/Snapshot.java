package io.quantail.run.snapshot;

import io.quantail.state.StateMap;
import java.nio.file.Path;
import java.util.List;

/**
 * A snapshot that was written to disk, or read from it and verified in full.
 *
 * @param directory of the snapshot
 * @param state complete state of the training
 * @param manifest where the state comes from, and the hashes of the files
 * @param problems after reading: defects of newer snapshots, which were skipped; after writing: old
 *     snapshots that could not be deleted; empty if there are none
 */
public record Snapshot(Path directory, StateMap state, Manifest manifest, List<String> problems) {
  public Snapshot {
    problems = List.copyOf(problems);
  }
}
