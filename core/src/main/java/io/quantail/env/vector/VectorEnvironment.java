package io.quantail.env.vector;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.io.CloseAll;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Several environments stepped as one, each starting its next episode as soon as one ends.
 *
 * <p>Episode {@code e} of environment {@code k} draws from the stream (seed, "environment/k", e)
 * and from nothing else, so results depend neither on the number of threads nor on timing. The
 * arrays are live: the next call changes them. Disjoint ranges may be stepped by different threads;
 * the arrays are read after those threads have finished. {@code VectorEnvironmentTest}, {@code
 * VectorMaskTest} and {@code VectorDeterminismTest} pin all this.
 *
 * <p>An environment that throws, hangs or returns invalid numbers is replaced if {@link
 * EnvironmentConfig.Faults} allows it, without any effect on the others. Otherwise an {@link
 * EnvironmentException} is thrown, and the environment refuses steps until {@link #reset}. {@code
 * VectorFaultTest} pins it.
 *
 * <p>The episodes may also be those of simulators, which are stepped and fail as a whole; {@code
 * SimulatorVectorTest} pins it.
 */
public final class VectorEnvironment implements AutoCloseable, Restorable {
  private final List<EpisodeRow> rows = new ArrayList<>();
  private final List<VectorPart> parts = new ArrayList<>();
  private final int[] partOf; // by environment
  private final ObservationSpace observationSpace;
  private final ActionSpace actionSpace;
  private final int maskSize;
  private final Buffers buffers;
  private final RestartPolicy restarts;
  private final boolean watched;

  /**
   * The arrays of all environments, one row each.
   *
   * @param observations [environment, component]
   * @param terminalObservations [environment, component], rows valid where an episode just ended
   * @param masks [environment, choice]; empty if no environment ever forbids a choice
   */
  record Buffers(
      float[] observations,
      double[] rewards,
      boolean[] terminated,
      boolean[] truncated,
      boolean[] faulted,
      float[] terminalObservations,
      boolean[] masks) {

    static Buffers allocate(int count, int observationSize, int maskSize) {
      return new Buffers(
          new float[count * observationSize],
          new double[count],
          new boolean[count],
          new boolean[count],
          new boolean[count],
          new float[count * observationSize],
          new boolean[count * maskSize]);
    }
  }

  /** Creates environments without a deadline; the first fault ends the run. */
  public VectorEnvironment(EnvironmentFactory factory, int count, long seed) {
    this(factory, count, seed, EnvironmentConfig.Faults.defaults());
  }

  /**
   * Creates environments.
   *
   * @param count number of environments, at least 1
   * @param seed of the run
   * @param faults deadline and restarts
   */
  public VectorEnvironment(
      EnvironmentFactory factory, int count, long seed, EnvironmentConfig.Faults faults) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least 1 environment, was " + count);
    }
    this.restarts = new RestartPolicy(faults);
    this.watched = faults.stepDeadlineSeconds() != null;
    if (factory instanceof BatchedEnvironmentFactory batched) {
      SimulatorCreator creator = new SimulatorCreator(batched);
      List<GuardedSimulator> simulators = creator.all(count);
      GuardedSimulator first = simulators.get(0);
      this.observationSpace = first.observationSpace();
      this.actionSpace = first.actionSpace();
      this.maskSize = first.rows().maskSize();
      this.buffers = Buffers.allocate(count, observationSpace.size(), maskSize);
      EpisodeRow.Shared shared = new EpisodeRow.Shared(seed, count, buffers, restarts);
      for (GuardedSimulator simulator : simulators) {
        addSimulator(creator, simulator, shared);
      }
    } else {
      EnvironmentCreator maker = new EnvironmentCreator(factory);
      List<Environment> environments = maker.all(count);
      this.observationSpace = environments.get(0).observationSpace();
      this.actionSpace = environments.get(0).actionSpace();
      this.maskSize = GuardedEnvironment.masks(environments.get(0)) ? actionSpace.maskSize() : 0;
      this.buffers = Buffers.allocate(count, observationSpace.size(), maskSize);
      EpisodeRow.Shared shared = new EpisodeRow.Shared(seed, count, buffers, restarts);
      for (int i = 0; i < count; i++) {
        EnvironmentSlot slot = new EnvironmentSlot(maker, environments.get(i), i, shared);
        rows.add(slot);
        parts.add(slot);
      }
    }
    this.partOf = new int[count];
    for (int part = 0; part < parts.size(); part++) {
      int first = parts.get(part).first();
      Arrays.fill(partOf, first, first + parts.get(part).size(), part);
    }
  }

  private void addSimulator(
      SimulatorCreator creator, GuardedSimulator simulator, EpisodeRow.Shared shared) {
    List<EpisodeRow> own = new ArrayList<>();
    for (int i = 0; i < simulator.rows().count(); i++) {
      own.add(new EpisodeRow(rows.size() + i, observationSpace.size(), actionSpace.size(), shared));
    }
    rows.addAll(own);
    parts.add(new SimulatorSlot(creator, simulator, own, restarts));
  }

  /**
   * Bounds of groups of environments that different threads may step at the same time: as many as
   * asked for, or one for each simulator if these are not separate environments.
   *
   * @param groups number of groups of separate environments
   * @return where each group begins, then the number of environments
   */
  public int[] groupBounds(int groups) {
    boolean separate = parts.size() == count();
    int[] bounds = new int[(separate ? groups : parts.size()) + 1];
    for (int group = 0; group < bounds.length - 1; group++) {
      bounds[group] = separate ? count() * group / groups : parts.get(group).first();
    }
    bounds[bounds.length - 1] = count();
    return bounds;
  }

  public int count() {
    return rows.size();
  }

  public ObservationSpace observationSpace() {
    return observationSpace;
  }

  /** How many numbers an observation has. */
  public int observationSize() {
    return observationSpace.size();
  }

  public ActionSpace actionSpace() {
    return actionSpace;
  }

  /** Width of a row of {@link #masks()}: 0 if the environments never forbid a choice. */
  public int maskSize() {
    return maskSize;
  }

  /** Starts a new episode in every environment; unfinished episodes are not reported. */
  public void reset() {
    parts.forEach(VectorPart::reset);
  }

  /**
   * Steps the environments {@code from} (inclusive) to {@code to} (exclusive).
   *
   * @param actions [environment, action] of all environments; those in the range are checked before
   *     any of them is stepped
   */
  public void step(int from, int to, float[] actions) {
    if (from < 0 || to > count() || from > to) {
      throw new IndexOutOfBoundsException(
          String.format(Locale.ROOT, "range must lie in 0..%d, was %d..%d", count(), from, to));
    }
    int size = actionSpace.size();
    if (actions.length != count() * size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "actions must have %d x %d numbers, had %d",
              count(),
              size,
              actions.length));
    }
    for (int i = from; i < to; i++) {
      if (!actionSpace.accepts(actions, i * size)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "action %s of environment %d is not in %s; clip or correct it before stepping",
                Arrays.toString(row(actions, i, size)),
                i,
                actionSpace));
      }
      if (maskSize > 0 && !actionSpace.allows(masks(), i * maskSize, actions, i * size)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "action %s of environment %d is forbidden by its mask; choose an allowed one",
                Arrays.toString(row(actions, i, size)),
                i));
      }
    }
    if (from == to) {
      return;
    }
    int firstPart = partOf[from];
    int lastPart = partOf[to - 1];
    requireWhole(from, to, parts.get(firstPart), parts.get(lastPart));
    if (watched) {
      stepTogether(parts.subList(firstPart, lastPart + 1), actions);
      return;
    }
    for (int i = firstPart; i <= lastPart; i++) {
      VectorPart part = parts.get(i);
      part.step(actions, part.first() * size);
    }
  }

  private static void requireWhole(int from, int to, VectorPart first, VectorPart last) {
    if (first.first() != from || last.first() + last.size() != to) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "the range %d..%d divides a simulator, which steps all its episodes at once",
              from,
              to));
    }
  }

  /** Steps all of them with one switch to another thread. */
  private void stepTogether(List<VectorPart> stepped, float[] actions) {
    List<CallRunner.Task> turns = new ArrayList<>(stepped.size());
    for (VectorPart part : stepped) {
      turns.add(part.prepare(actions, part.first() * actionSpace.size()));
    }
    restarts.run(turns);
    stepped.forEach(VectorPart::take);
  }

  /**
   * The current observations, [environment, component]: the first of the next episode where one
   * ended.
   */
  public float[] observations() {
    return buffers.observations();
  }

  /**
   * The allowed choices at the current observations, [environment, choice], false where the
   * environment forbids one; empty if the environments never do.
   */
  public boolean[] masks() {
    return buffers.masks();
  }

  /** The rewards of the last step. */
  public double[] rewards() {
    return buffers.rewards();
  }

  /** Where the last step terminated an episode. */
  public boolean[] terminated() {
    return buffers.terminated();
  }

  /** Where the last step truncated an episode; never where it terminated one. */
  public boolean[] truncated() {
    return buffers.truncated();
  }

  /**
   * The last observations of ended episodes, [environment, component]; valid where the last step
   * ended one.
   */
  public float[] terminalObservations() {
    return buffers.terminalObservations();
  }

  /**
   * Where an environment failed in the last step and was replaced. The step counts as truncated,
   * with reward 0 and the observation before it as terminal observation; its episode is not
   * reported.
   */
  public boolean[] faulted() {
    return buffers.faulted();
  }

  /** The {@link Step#info} of an environment's last step. */
  public Map<String, Double> info(int environment) {
    return rows.get(environment).info();
  }

  /** The reward sum of each environment's running episode, unscaled and undiscounted. */
  public double[] runningRewards() {
    return rows.stream().mapToDouble(EpisodeRow::runningReward).toArray();
  }

  /** The episodes that ended since the last call, by environment, then in order of time. */
  public List<EpisodeSummary> drainEpisodes() {
    List<EpisodeSummary> episodes = new ArrayList<>();
    rows.forEach(row -> row.drainEpisodesInto(episodes));
    return List.copyOf(episodes);
  }

  /** The failures since the last call, by environment, then in order of time. */
  public List<EnvironmentFault> drainFaults() {
    List<EnvironmentFault> faults = new ArrayList<>();
    rows.forEach(row -> row.faults().drainInto(faults));
    return List.copyOf(faults);
  }

  /** Number of faults of a kind since the run began. */
  public long faults(EnvironmentException.Kind kind) {
    return rows.stream().mapToLong(row -> row.faults().count(kind)).sum();
  }

  /** Writes how often each environment has failed and how many episodes it has begun. */
  @Override
  public void save(StateMap state) {
    EnvironmentException.Kind[] kinds = EnvironmentException.Kind.values();
    long[] counts = new long[count() * kinds.length];
    Arrays.setAll(counts, i -> rows.get(i / kinds.length).faults().count(kinds[i % kinds.length]));
    state.putLongs("faults", counts, count(), kinds.length);
    long[] begun = rows.stream().mapToLong(EpisodeRow::episodesBegun).toArray();
    state.putLongs("episodesBegun", begun, begun.length);
  }

  /** {@inheritDoc} To be followed by {@link #restore} or {@link #reset}. */
  @Override
  public Runnable restoring(StateMap state) {
    EnvironmentException.Kind[] kinds = EnvironmentException.Kind.values();
    long[] counts = state.longs("faults", count(), kinds.length);
    long[] begun = state.longs("episodesBegun", count());
    return () -> {
      for (int i = 0; i < counts.length; i++) {
        rows.get(i / kinds.length).faults().restore(kinds[i % kinds.length], counts[i]);
      }
      for (int i = 0; i < count(); i++) {
        rows.get(i).restoreEpisodes(begun[i]);
      }
      restarts.restore(Arrays.stream(counts).sum());
    };
  }

  /**
   * All running episodes, one array per environment; empty if an environment cannot save itself.
   * Finished episodes must have been drained.
   */
  public Optional<List<double[]>> snapshot() {
    List<double[]> states = new ArrayList<>();
    for (VectorPart part : parts) {
      double[] state = part.state();
      if (state == null) {
        return Optional.empty();
      }
      states.add(state);
    }
    return Optional.of(
        IntStream.range(0, states.size())
            .mapToObj(i -> parts.get(i).snapshot(states.get(i)))
            .toList());
  }

  /** Continues the episodes of a snapshot taken with the same factory, count and seed. */
  public void restore(List<double[]> snapshot) {
    if (snapshot.size() != count()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "snapshot must be of %d environments, was of %d",
              count(),
              snapshot.size()));
    }
    for (int i = 0; i < count(); i++) {
      parts.get(i).restore(snapshot.get(i));
    }
  }

  @Override
  public void close() {
    restarts.close();
    try {
      CloseAll.close(parts);
    } catch (Exception failure) {
      throw new EnvironmentException("an environment did not close: " + failure, failure);
    }
  }

  private static float[] row(float[] actions, int index, int size) {
    return Arrays.copyOfRange(actions, index * size, (index + 1) * size);
  }
}
