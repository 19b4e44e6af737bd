package io.quantail.study.task;

import io.quantail.config.RunConfig;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Task that trains one agent. The directory of the attempt becomes the agent's run and contains the
 * outcome ({@link OutcomeFile}).
 *
 * @param <R> outcome of the task
 */
public interface AgentTask<R extends Serializable> extends Task<R> {
  /** Settings of the agent. */
  TaskSettings settings();

  /** The same task with other settings. */
  AgentTask<R> withSettings(TaskSettings other);

  /** All settings of the run. Name and settings determine the outcome. */
  default RunConfig config(String... overrides) {
    return settings().config(name(), overrides);
  }

  @Override
  default @Nullable Serializable common() {
    return settings().common();
  }

  @Override
  default Task<R> withCommon(@Nullable Serializable common) {
    return withSettings(settings().withCommonPart(common));
  }

  /** Class of the outcome. */
  Class<R> outcomeType();
}
