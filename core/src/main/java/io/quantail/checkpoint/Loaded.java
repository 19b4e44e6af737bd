package io.quantail.checkpoint;

import io.quantail.state.StateMap;
import java.util.List;

/**
 * A snapshot that was read and verified in full.
 *
 * @param state everything the run needs to go on
 * @param manifest where it comes from
 * @param problems what was wrong with the snapshots that should have been used instead; empty when
 *     all is well
 */
public record Loaded(StateMap state, Manifest manifest, List<String> problems) {
  public Loaded {
    problems = List.copyOf(problems);
  }
}
