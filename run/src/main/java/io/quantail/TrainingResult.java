package io.quantail;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a training came to. */
public final class TrainingResult {
  private final Agent agent;
  private final Agent best;
  private final Optional<Evaluation> evaluation;
  private final List<Alert> alerts;
  private final Stop stop;
  private final Duration time;

  /** Why a training ended. */
  public enum Stop {
    /** All steps were done. */
    STEPS,
    /** {@link Training#stopWhen} found it good enough. */
    ENOUGH,
    /** So many evaluations in a row were not better than one before ({@code training.patience}). */
    PATIENCE,
    /** Its thread was interrupted; with a directory it can be resumed. */
    INTERRUPTED
  }

  TrainingResult(
      Agent agent,
      Agent best,
      Optional<Evaluation> evaluation,
      List<Alert> alerts,
      Stop stop,
      Duration time) {
    this.agent = agent;
    this.best = best;
    this.evaluation = evaluation;
    this.alerts = List.copyOf(alerts);
    this.stop = stop;
    this.time = time;
  }

  /** {@return the agent of the last update} */
  public Agent agent() {
    return agent;
  }

  /**
   * {@return the agent of the best evaluation during the training with {@link Training#keepBest},
   * otherwise the last one}
   */
  public Agent best() {
    return best;
  }

  /**
   * {@return the evaluation of {@link #best} after the training; empty if it was interrupted, and
   * on markets, whose evaluation is in the directory}
   */
  public Optional<Evaluation> evaluation() {
    return evaluation;
  }

  /** {@return the alerts of health rules, the most severe first} */
  public List<Alert> alerts() {
    return alerts;
  }

  /** {@return why the training ended} */
  public Stop stop() {
    return stop;
  }

  /** {@return the environment steps done} */
  public long steps() {
    return agent.provenance().steps();
  }

  /** {@return the time that this process trained} */
  public Duration time() {
    return time;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d steps in %.1f s, ended by %s%s",
        steps(),
        time.toMillis() / 1000.0,
        stop,
        evaluation.map(measured -> "; " + measured).orElse(""));
  }
}
