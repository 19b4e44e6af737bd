package io.quantail.rollout;

import io.quantail.critic.ReturnScale;
import io.quantail.env.VectorEnvironment;
import io.quantail.nn.ActorCritic;
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

  private final Rollout.Shape shape;
  private final Workers workers;
  private final List<Lane> lanes = new ArrayList<>();
  private final RandomStream[] actionStreams;

  /**
   * @param seed seed of the run
   * @param steps steps of each environment per rollout
   * @param window steps between two stored recurrent states
   * @param lanes number of independent groups of environments; part of the numerics
   */
  public record Options(long seed, int steps, int window, int lanes) {}

  public Collector(Agent agent, VectorEnvironment environments, Workers workers, Options options) {
    this.shape = shape(agent.network(), environments, options);
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

  private static Rollout.Shape shape(
      ActorCritic network, VectorEnvironment environments, Options options) {
    return new Rollout.Shape(
        options.steps(),
        environments.count(),
        options.window(),
        environments.observationSize(),
        environments.actionSpace().size(),
        network.distributionParameters(),
        network.width(),
        network.stateSlots());
  }

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
