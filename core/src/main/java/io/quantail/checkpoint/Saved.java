package io.quantail.checkpoint;

import java.nio.file.Path;
import java.util.List;

/**
 * A snapshot that is safely on disk.
 *
 * @param snapshot its directory
 * @param manifest its table of contents
 * @param best whether it has the best score of all snapshots kept
 * @param problems old snapshots that could not be deleted
 */
public record Saved(Path snapshot, Manifest manifest, boolean best, List<String> problems) {
  public Saved {
    problems = List.copyOf(problems);
  }
}
