package io.quantail.telemetry;

import io.quantail.metrics.Metrics;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.OptionalDouble;

/**
 * Warns when the critics explain little of the returns in several updates running.
 *
 * <p>From the third update in a row with an explained variance of at most {@value #LOW}, {@code
 * warn/explained_variance_low} carries it. An undefined one neither counts nor interrupts the run.
 * {@code ExplainedVarianceAlarmTest} pins it.
 */
public final class ExplainedVarianceAlarm implements Restorable {
  private static final double LOW = 0.3;
  private static final long PATIENCE = 3;

  private long run;

  /** Takes in the explained variance of an update; empty if undefined. */
  public void observe(Metrics metrics, OptionalDouble explained) {
    if (explained.isEmpty()) {
      return;
    }
    run = explained.getAsDouble() <= LOW ? run + 1 : 0;
    if (run >= PATIENCE) {
      metrics.put("warn/explained_variance_low", explained.getAsDouble());
    }
  }

  @Override
  public void save(StateMap state) {
    state.putLong("run", run);
  }

  @Override
  public Runnable restoring(StateMap state) {
    long saved = state.longValue("run");
    return () -> run = saved;
  }
}
