package example;

import io.quantail.ActingAgent;
import io.quantail.Agent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Serves decisions from several threads: they share the agent, and each has its own memory. */
public final class ServeFromThreads {
  private ServeFromThreads() {}

  /**
   * Serves eight shops in eight threads.
   *
   * @param arguments directory of the agent
   */
  // --8<-- [start:serve]
  public static void main(String... arguments) throws ExecutionException, InterruptedException {
    Agent agent = Agent.load(Path.of(arguments.length > 0 ? arguments[0] : "inventory"));
    System.out.println(serve(agent, 8));
  }

  static List<Integer> serve(Agent agent, int shops)
      throws ExecutionException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(shops);
    try {
      List<Future<Integer>> served = new ArrayList<>();
      for (int shop = 0; shop < shops; shop++) {
        int first = shop;
        served.add(threads.submit(() -> ordersOf(agent, first)));
      }
      List<Integer> orders = new ArrayList<>();
      for (Future<Integer> shop : served) {
        orders.add(shop.get());
      }
      return orders;
    } finally {
      threads.shutdown();
    }
  }

  private static int ordersOf(Agent agent, int firstStock) {
    ActingAgent acting = agent.acting(); // cheap; never shared between threads
    int orders = 0;
    for (int day = 0; day < 1000; day++) {
      orders += acting.act((firstStock + day) % 10).index();
    }
    return orders;
  }
  // --8<-- [end:serve]
}
