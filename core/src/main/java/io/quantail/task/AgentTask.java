package io.quantail.task;

import java.io.Serializable;

/**
 * A task that trains one agent. The directory of the attempt becomes the agent's run, in which the
 * outcome is found again ({@link OutcomeFile}).
 *
 * @param <R> what comes back
 */
public interface AgentTask<R extends Serializable> extends Task<R> {
  /** All settings of the run as YAML; with the name they decide the outcome. */
  String settings();

  /** What the outcome is read as. */
  Class<R> outcomeType();
}
