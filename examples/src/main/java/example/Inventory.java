package example;

import io.quantail.ActingAgent;
import io.quantail.Agent;
import io.quantail.Decision;
import io.quantail.Evaluation;
import io.quantail.Training;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.nio.file.Path;

/**
 * A shop that orders goods, which arrive two days later. The agent sees its stock, not what it has
 * ordered, so it needs a memory.
 */
// --8<-- [start:environment]
public final class Inventory implements Environment {
  private double stock;
  private double arrivesTomorrow;
  private double arrivesLater;
  private RandomStream random;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("stock");
  }

  @Override
  public ActionSpace actionSpace() {
    return ActionSpace.discrete(6); // so many are ordered
  }

  @Override
  public float[] reset(RandomStream episode) {
    random = episode;
    stock = 5;
    arrivesTomorrow = 0;
    arrivesLater = 0;
    return new float[] {(float) stock};
  }

  @Override
  public Step step(Action action) {
    stock += arrivesTomorrow;
    arrivesTomorrow = arrivesLater;
    arrivesLater = action.index();
    int demand = random.nextInt(5);
    double sold = Math.min(stock, demand);
    stock -= sold;
    double missed = demand - sold;
    return Step.of((float) stock).reward(2 * sold - arrivesLater - 0.1 * stock - 0.5 * missed);
  }

  // --8<-- [end:environment]

  /**
   * Trains, evaluates, saves, loads and acts.
   *
   * @param arguments environment steps, and the directory of the agent
   */
  // --8<-- [start:train]
  public static void main(String... arguments) {
    long steps = arguments.length > 0 ? Long.parseLong(arguments[0]) : 100_000;
    Path directory = Path.of(arguments.length > 1 ? arguments[1] : "inventory");

    Agent agent =
        Training.of(Inventory::new)
            .episodeLimit(50)
            .steps(steps)
            .seed(7)
            .onUpdate(System.out::println)
            .run()
            .agent();
    System.out.println(Evaluation.of(agent, Inventory::new).episodes(100).run());
    agent.save(directory);

    ActingAgent acting = Agent.load(directory).acting(); // one per episode
    Decision decision = acting.decide(5);
    System.out.println("orders " + decision.action().index() + ", expects " + decision.forecast());
  }
  // --8<-- [end:train]
}
