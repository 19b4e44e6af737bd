package io.quantail.parallel;

/** Splits a flat vector into chunks and applies a task to each, possibly in parallel. */
public interface ChunkedRange {

  /** A task on the elements [from, to). */
  interface Task {
    void accept(int from, int to);
  }

  /**
   * Applies a task to every chunk once, in any order. A task must have finished all writes to its
   * chunk when it returns, because other threads may read the chunk then.
   */
  void each(Task task);

  /** All elements as one chunk. */
  static ChunkedRange whole(int count) {
    return task -> task.accept(0, count);
  }
}
