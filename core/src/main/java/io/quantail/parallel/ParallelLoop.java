package io.quantail.parallel;

import java.util.function.IntConsumer;

/** Runs the iterations of a loop, possibly on several threads. */
public interface ParallelLoop {
  /** The calling thread. */
  ParallelLoop ALONE =
      (parts, part) -> {
        for (int i = 0; i < parts; i++) {
          part.accept(i);
        }
      };

  /**
   * Runs each of the parts {@code 0 .. parts - 1} once, in any order and possibly in parallel, and
   * returns when all have ended.
   */
  void each(int parts, IntConsumer part);
}
