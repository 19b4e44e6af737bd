package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One simulator of a {@link VectorEnvironment} and the rows of its episodes.
 *
 * <p>A simulator fails as a whole: the episodes that run are truncated, and all rows start anew in
 * the simulator that replaces it. An episode that ended in the very step is not affected.
 */
final class SimulatorSlot implements VectorPart {
  private final SimulatorCreator creator;
  private final RestartPolicy restarts;
  private final List<EpisodeRow> rows;
  private GuardedSimulator simulator;
  private @Nullable SimulatorCall prepared;
  private boolean lost; // hangs; another thread closes it

  SimulatorSlot(
      SimulatorCreator creator,
      GuardedSimulator simulator,
      List<EpisodeRow> rows,
      RestartPolicy restarts) {
    this.creator = creator;
    this.simulator = simulator;
    this.rows = rows;
    this.restarts = restarts;
  }

  @Override
  public int first() {
    return rows.get(0).index;
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public void reset() {
    for (EpisodeRow row : rows) {
      row.running = false;
    }
    GuardedSimulator present = simulator;
    SimulatorCall call = start(() -> present);
    restarts.run(List.of(call));
    take(call);
  }

  private SimulatorCall start(Supplier<GuardedSimulator> source) {
    return new SimulatorCall(source, null, this::seed);
  }

  /** The seed of a row's next episode: the first number of its random stream. */
  private long seed(int row) {
    return rows.get(row).nextStream().get().nextLong();
  }

  @Override
  public void step(float[] numbers, int offset) {
    prepare(numbers, offset).run();
    take();
  }

  @Override
  public SimulatorCall prepare(float[] numbers, int offset) {
    int size = rows.get(0).actions.actionSize();
    for (int row = 0; row < rows.size(); row++) {
      rows.get(row).startStep(numbers, offset + row * size);
    }
    float[] actions = Arrays.copyOfRange(numbers, offset, offset + rows.size() * size);
    GuardedSimulator present = simulator;
    prepared = new SimulatorCall(() -> present, actions, this::seed);
    return prepared;
  }

  @Override
  public void take() {
    take(Objects.requireNonNull(prepared));
  }

  private void take(SimulatorCall call) {
    boolean stepped = call.stepped(); // read once: an abandoned call may still write it
    boolean failed = call.failed();
    for (int row = 0; row < rows.size(); row++) {
      rows.get(row).forgetLastStep();
      if (stepped && (!failed || simulator.ended(row))) {
        show(row);
      } else if (call.isStep()) {
        rows.get(row).truncate();
      }
    }
    SimulatorCall complete = failed ? replacement(call, stepped) : call;
    simulator = Objects.requireNonNull(complete.simulator());
    for (int row = 0; row < rows.size(); row++) {
      if (failed || !call.isStep() || simulator.ended(row)) {
        begin(row);
      }
    }
  }

  private void show(int row) {
    EpisodeRow shown = rows.get(row);
    shown.show(
        simulator.rows().rewards()[row],
        simulator.rows().terminated()[row],
        simulator.rows().truncated()[row],
        simulator.reached(),
        row * shown.observationSize);
    if (!simulator.ended(row)) {
      showMask(row);
      shown.running = true;
    }
  }

  private void begin(int row) {
    EpisodeRow begun = rows.get(row);
    begun.begin(begun.nextEpisode, simulator.rows().observations(), row * begun.observationSize);
    showMask(row);
  }

  private void showMask(int row) {
    int size = simulator.rows().maskSize();
    rows.get(row).showMask(simulator.rows().masks(), row * size, size);
  }

  /** Starts new simulators until one of them completes the resets of all rows. */
  private SimulatorCall replacement(SimulatorCall failed, boolean stepped) {
    SimulatorCall call = failed;
    for (int attempt = 1; call.failed(); attempt++) {
      boolean inStep = call.isStep() && !stepped;
      EnvironmentFault fault = fault(call, inStep);
      GuardedSimulator old = call.simulator();
      lost = call.abandoned();
      if (lost) {
        closeInBackground(old);
      }
      EnvironmentException thrown = call.failure();
      restarts.grant(
          fault,
          thrown == null
              ? null
              : new EnvironmentException(
                  Objects.toString(fault.message()), thrown.getCause(), fault.kind()),
          attempt);
      boolean usable = !lost;
      call =
          start(
              () -> {
                if (usable) {
                  closeQuietly(old);
                }
                return creator.create(first(), size());
              });
      restarts.run(List.of(call));
    }
    lost = false;
    return call;
  }

  private EnvironmentFault fault(SimulatorCall call, boolean inStep) {
    GuardedSimulator called = call.simulator();
    EnvironmentException thrown = call.failure();
    // While an abandoned call goes on, it may change the row.
    EpisodeRow row = rows.get(thrown == null || called == null ? 0 : called.failedRow());
    FaultRecording recording = inStep ? row.recordStep() : row.recordReset(row.nextEpisode);
    String message =
        String.format(
            Locale.ROOT,
            "%s, episode %d, step %d: %s",
            thrown != null && thrown.kind() == EnvironmentException.Kind.OUTPUT
                ? SimulatorCreator.environments(row.index, 1)
                : SimulatorCreator.environments(first(), size()),
            recording.episode(),
            inStep ? row.length : 0,
            thrown == null
                ? restarts.overdue(inStep ? "step" : "reset")
                : Objects.toString(thrown.getMessage()));
    return row.fail(
        thrown == null ? EnvironmentException.Kind.TIMEOUT : thrown.kind(), message, recording);
  }

  private static void closeInBackground(@Nullable GuardedSimulator hanging) {
    Thread closing = new Thread(() -> closeQuietly(hanging), "quantail-close");
    closing.setDaemon(true);
    closing.start();
  }

  private static void closeQuietly(@Nullable GuardedSimulator old) {
    if (old != null) {
      try {
        old.close();
      } catch (RuntimeException ignored) {
        // The simulator is discarded, and the fault has been recorded already.
      }
    }
  }

  @Override
  public double @Nullable [] state() {
    return null;
  }

  @Override
  public double[] snapshot(double[] state) {
    throw new UnsupportedOperationException("a simulator has no state");
  }

  @Override
  public void restore(double[] snapshot) {
    throw new UnsupportedOperationException("a simulator has no state");
  }

  @Override
  public void close() {
    if (!lost) {
      simulator.close();
    }
  }
}
