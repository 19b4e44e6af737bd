package io.quantail.run.snapshot;

import io.quantail.state.StateMap;
import java.nio.file.Path;
import java.util.List;

/**
 * A snapshot that was written to disk, or read from it and verified in full.
 *
 * @param directory of the snapshot
 * @param state everything the run needs to resume
 * @param manifest where the state comes from, and the hashes of the files
 * @param problems after reading: what is wrong with newer snapshots that should have been used
 *     instead; after writing: which old snapshots could not be deleted; empty if all is well
 */
public record Snapshot(Path directory, StateMap state, Manifest manifest, List<String> problems) {
  public Snapshot {
    problems = List.copyOf(problems);
  }
}
