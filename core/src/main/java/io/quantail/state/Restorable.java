package io.quantail.state;

/**
 * A component whose mutable state can be saved and restored.
 *
 * <p>Restoring has two phases, so that a state is restored as a whole or not at all: {@link
 * #restoring} reads and validates, and the action it returns assigns. An owner of several
 * components reads all of them before it runs the first action.
 */
public interface Restorable {
  /** Writes all mutable state. */
  void save(StateMap state);

  /**
   * Reads and validates the state written by {@link #save} and changes nothing.
   *
   * @return assigns the values that were read
   * @throws RuntimeException if an entry is missing or has another type, shape or range
   */
  Runnable restoring(StateMap state);

  /** Restores the state written by {@link #save}; changes nothing if that is not possible. */
  default void load(StateMap state) {
    restoring(state).run();
  }
}
