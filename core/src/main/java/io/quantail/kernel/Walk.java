package io.quantail.kernel;

/** A way through a flat vector in parts, perhaps by several threads. */
public interface Walk {

  /** What to do with the numbers [from, to). */
  interface Task {
    void accept(int from, int to);
  }

  /**
   * Has a task done for every part, once and in any order. Whoever changes numbers on the way must
   * be done with a part when its task ends, since others may read it then.
   */
  void each(Task task);

  /** A way through so many numbers in one part. */
  static Walk whole(int count) {
    return task -> task.accept(0, count);
  }
}
