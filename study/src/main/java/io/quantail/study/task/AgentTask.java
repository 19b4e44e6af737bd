package io.quantail.study.task;

import java.io.Serializable;

/**
 * Task that trains one agent. The directory of the attempt becomes the agent's run and contains the
 * outcome ({@link OutcomeFile}).
 *
 * @param <R> outcome of the task
 */
public interface AgentTask<R extends Serializable> extends Task<R> {
  /** All settings of the run as YAML. Name and settings determine the outcome. */
  String settings();

  /** Class of the outcome. */
  Class<R> outcomeType();
}
