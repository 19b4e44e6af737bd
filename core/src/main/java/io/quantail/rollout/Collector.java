package io.quantail.rollout;

import io.quantail.critic.Critic;
import io.quantail.critic.ReturnScale;
import io.quantail.env.ObservationNormalizer;
import io.quantail.env.VectorEnvironment;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Parameters;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Runs the policy in all environments and records a {@link Rollout}.
 *
 * <p>The environments are split into a fixed number of lanes that never wait for each other, since
 * the policy does not change during a rollout. Which thread runs a lane has no influence on the
 * numbers.
 */
public final class Collector implements AutoCloseable {

  /**
   * Who acts, and how its outputs are read; the same for all lanes.
   *
   * @param network the structure of the policy
   * @param parameters its current numbers
   * @param critic how value heads are read
   * @param normalizer brings observations to unit scale; null when they are used as they are
   */
  public record Agent(
      ActorCritic network,
      Parameters.Replica parameters,
      Critic critic,
      ObservationNormalizer normalizer) {}

  private final Rollout.Shape shape;
  private final Workers workers;
  private final List<Lane> lanes = new ArrayList<>();
  private final RandomStream[] actionStreams;

  public Collector(
      Agent agent, VectorEnvironment environments, Rollout.Shape shape, Workers workers, Options options) {
    this.shape = shape;
    this.workers = workers;
    int count = environments.count();
    actionStreams = new RandomStream[count];
    Arrays.setAll(actionStreams, e -> RandomStream.of(options.seed(), "action", e));
    for (int lane = 0; lane < options.lanes(); lane++) {
      int from = count * lane / options.lanes();
      int to = count * (lane + 1) / options.lanes();
      lanes.add(new Lane(agent, environments, actionStreams, from, to));
    }
    environments.reset();
  }

  /**
   * @param seed seed of the run
   * @param lanes number of independent groups of environments; part of the numerics
   */
  public record Options(long seed, int lanes) {}

  /** Collects one rollout with the given frozen return scale. */
  public Rollout collect(ReturnScale scale) {
    Rollout rollout = new Rollout(shape);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (Lane lane : lanes) {
      tasks.add(
          () -> {
            lane.collect(rollout, scale);
            return null;
          });
    }
    workers.run(tasks);
    return rollout;
  }

  /** Statistics of the hidden state per memory and layer at the end of the last rollout. */
  public List<HiddenStatistics> hiddenStatistics() {
    List<float[]> states = lanes.stream().map(Lane::hidden).toList();
    return HiddenStatistics.of(states, shape.recurrentLayers(), shape.width());
  }

  @Override
  public void close() {
    lanes.forEach(Lane::close);
  }
}
