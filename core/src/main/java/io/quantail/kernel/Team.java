package io.quantail.kernel;

import java.util.function.IntConsumer;

/** Whoever can do the parts of a loop. */
public interface Team {
  /** The calling thread. */
  Team ALONE =
      (parts, part) -> {
        for (int i = 0; i < parts; i++) {
          part.accept(i);
        }
      };

  /**
   * Has each of the parts {@code 0 .. parts - 1} done once, in any order and perhaps side by side,
   * and returns when all are done.
   */
  void each(int parts, IntConsumer part);
}
