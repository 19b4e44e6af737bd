package io.quantail.env.vector;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.ActionSpace;
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
 */
public final class VectorEnvironment implements AutoCloseable, Restorable {
  private final List<EnvironmentSlot> slots;
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
    EnvironmentCreator maker = new EnvironmentCreator(factory);
    List<Environment> environments = maker.all(count);
    this.observationSpace = environments.get(0).observationSpace();
    this.actionSpace = environments.get(0).actionSpace();
    this.maskSize = GuardedEnvironment.masks(environments.get(0)) ? actionSpace.maskSize() : 0;
    this.buffers = Buffers.allocate(count, observationSpace.size(), maskSize);
    this.restarts = new RestartPolicy(maker, faults);
    this.watched = faults.stepDeadlineSeconds() != null;
    this.slots = new ArrayList<>();
    EnvironmentSlot.Shared shared = new EnvironmentSlot.Shared(seed, count, buffers, restarts);
    for (int i = 0; i < count; i++) {
      slots.add(new EnvironmentSlot(environments.get(i), i, shared));
    }
  }

  public int count() {
    return slots.size();
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
    slots.forEach(EnvironmentSlot::reset);
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
          "range must lie in 0..%d, was %d..%d".formatted(count(), from, to));
    }
    int size = actionSpace.size();
    if (actions.length != count() * size) {
      throw new IllegalArgumentException(
          "actions must have %d x %d numbers, had %d".formatted(count(), size, actions.length));
    }
    for (int i = from; i < to; i++) {
      if (!actionSpace.accepts(actions, i * size)) {
        throw new IllegalArgumentException(
            "action %s of environment %d is not in %s; clip or correct it before stepping"
                .formatted(Arrays.toString(row(actions, i, size)), i, actionSpace));
      }
      if (maskSize > 0 && !actionSpace.allows(masks(), i * maskSize, actions, i * size)) {
        throw new IllegalArgumentException(
            "action %s of environment %d is forbidden by its mask; choose an allowed one"
                .formatted(Arrays.toString(row(actions, i, size)), i));
      }
    }
    if (watched) {
      stepTogether(from, to, actions);
      return;
    }
    for (int i = from; i < to; i++) {
      slots.get(i).step(actions, i * size);
    }
  }

  /** Steps all of them with one switch to another thread. */
  private void stepTogether(int from, int to, float[] actions) {
    List<EnvironmentCall> turns = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      turns.add(slots.get(i).prepare(actions, i * actionSpace.size()));
    }
    restarts.run(turns);
    for (int i = from; i < to; i++) {
      slots.get(i).take(turns.get(i - from));
    }
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
    return slots.get(environment).info();
  }

  /** The reward sum of each environment's running episode, unscaled and undiscounted. */
  public double[] runningRewards() {
    return slots.stream().mapToDouble(EnvironmentSlot::runningReward).toArray();
  }

  /** The episodes that ended since the last call, by environment, then in order of time. */
  public List<EpisodeSummary> drainEpisodes() {
    List<EpisodeSummary> episodes = new ArrayList<>();
    slots.forEach(slot -> slot.drainEpisodesInto(episodes));
    return List.copyOf(episodes);
  }

  /** The failures since the last call, by environment, then in order of time. */
  public List<EnvironmentFault> drainFaults() {
    List<EnvironmentFault> faults = new ArrayList<>();
    slots.forEach(slot -> slot.faults().drainInto(faults));
    return List.copyOf(faults);
  }

  /** Number of faults of a kind since the run began. */
  public long faults(EnvironmentException.Kind kind) {
    return slots.stream().mapToLong(slot -> slot.faults().count(kind)).sum();
  }

  /** Writes how often each environment has failed and how many episodes it has begun. */
  @Override
  public void save(StateMap state) {
    EnvironmentException.Kind[] kinds = EnvironmentException.Kind.values();
    long[] counts = new long[count() * kinds.length];
    Arrays.setAll(counts, i -> slots.get(i / kinds.length).faults().count(kinds[i % kinds.length]));
    state.putLongs("faults", counts, count(), kinds.length);
    long[] begun = slots.stream().mapToLong(EnvironmentSlot::episodesBegun).toArray();
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
        slots.get(i / kinds.length).faults().restore(kinds[i % kinds.length], counts[i]);
      }
      for (int i = 0; i < count(); i++) {
        slots.get(i).restoreEpisodes(begun[i]);
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
    for (EnvironmentSlot slot : slots) {
      double[] state = slot.state();
      if (state == null) {
        return Optional.empty();
      }
      states.add(state);
    }
    return Optional.of(
        IntStream.range(0, states.size())
            .mapToObj(i -> slots.get(i).snapshot(states.get(i)))
            .toList());
  }

  /** Continues the episodes of a snapshot taken with the same factory, count and seed. */
  public void restore(List<double[]> snapshot) {
    if (snapshot.size() != count()) {
      throw new IllegalArgumentException(
          "snapshot must be of %d environments, was of %d".formatted(count(), snapshot.size()));
    }
    for (int i = 0; i < count(); i++) {
      slots.get(i).restore(snapshot.get(i));
    }
  }

  @Override
  public void close() {
    restarts.close();
    try {
      CloseAll.close(slots);
    } catch (Exception failure) {
      throw new EnvironmentException("an environment did not close: " + failure, failure);
    }
  }

  private static float[] row(float[] actions, int index, int size) {
    return Arrays.copyOfRange(actions, index * size, (index + 1) * size);
  }
}
