package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.InterruptHandler;
import io.quantail.app.console.CalibrationNotice;
import io.quantail.app.console.Messages;
import io.quantail.app.console.TrainingConsole;
import io.quantail.app.dashboard.EmbeddedDashboard;
import io.quantail.app.report.LimitCost;
import io.quantail.config.RunConfig;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingRun;
import io.quantail.run.TrainingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Parts that {@code train} and {@code resume} add to a training: console output, a stop on Ctrl-C
 * and an optional dashboard.
 */
final class InteractiveTraining implements RunListener, AutoCloseable {
  private final CommandSpec spec;
  private final boolean dashboard;
  private final TrainingConsole console;
  private final InterruptHandler interruption = new InterruptHandler();
  private @Nullable EmbeddedDashboard live;

  InteractiveTraining(CommandSpec spec, boolean dashboard) {
    this.spec = spec;
    this.dashboard = dashboard;
    this.console = new TrainingConsole(Messages.of(spec), System.err);
  }

  /** Shows on a terminal that settings and data are read. */
  void prepare() {
    console.prepare();
  }

  /** Says what will be trained, before anything is computed. */
  void announce(String name, RunConfig config) {
    console.announce(name, config);
  }

  /** Trains with all listeners of the command; empty if the training was interrupted. */
  Optional<RunResult> run(TrainingSession session) {
    RunConfig config = session.config();
    List<RunListener> listeners = new ArrayList<>();
    listeners.add(LedgerAccess.listener(spec)); // before the report, which shows its numbers
    listeners.addAll(RunListenerProvider.load(config));
    listeners.add(RunListener.snapshotEvery(config.training().snapshotUpdates()));
    listeners.add(this);
    listeners.add(console);
    listeners.add(new CalibrationNotice(console, config, session.environments()));
    return session.run(listeners);
  }

  @Override
  public void onStart(TrainingRun run) {
    live = EmbeddedDashboard.of(dashboard, run.directory().path(), spec);
  }

  @Override
  public boolean stopRequested() {
    return interruption.getAsBoolean();
  }

  int report(boolean json, Optional<RunResult> result, @Nullable LimitCost cost)
      throws JsonProcessingException {
    return console.report(spec, json, result, cost);
  }

  /** Lets the process end, because everything is on disk. */
  @Override
  public void close() {
    if (live != null) {
      live.close();
    }
    interruption.close();
  }
}
