import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedStep;
import io.quantail.gymnasium.GymnasiumEnvironment;
import io.quantail.random.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints the environment steps per second through the bridge; see tools/gymnasium-speed. */
final class GymnasiumSpeed {
  private static final int ACTIONS = 256;

  public static void main(String[] arguments) throws Exception {
    String task = arguments[0];
    int count = Integer.parseInt(arguments[1]);
    int steps = Integer.parseInt(arguments[2]);
    int processes = Integer.parseInt(arguments[3]);
    List<Simulator> simulators = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      int rows = count * (i + 1) / processes - count * i / processes;
      simulators.add(
          new Simulator(
              GymnasiumEnvironment.make(task).python(Path.of(arguments[4])).createBatch(rows), i));
    }
    run(simulators, Math.max(100, steps / 10));
    long start = System.nanoTime();
    run(simulators, steps);
    System.out.println(steps * (double) count / (System.nanoTime() - start) * 1e9);
    for (Simulator simulator : simulators) {
      simulator.environment.close();
    }
  }

  private static void run(List<Simulator> simulators, int steps) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Simulator simulator : simulators) {
      Thread thread = new Thread(() -> simulator.step(steps));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static final class Simulator {
    private final BatchedEnvironment environment;
    private final BatchedStep rows;
    private final RandomStream random;
    private final float[][] actions = new float[ACTIONS][];

    Simulator(BatchedEnvironment environment, int index) {
      this.environment = environment;
      this.rows = new BatchedStep(environment);
      this.random = RandomStream.of(1, "speed", index);
      int size = environment.actionSpace().size();
      for (int a = 0; a < ACTIONS; a++) {
        actions[a] = new float[rows.count() * size];
        for (int row = 0; row < rows.count(); row++) {
          System.arraycopy(environment.actionSpace().sample(random), 0, actions[a], row * size, size);
        }
      }
      for (int row = 0; row < rows.count(); row++) {
        environment.reset(row, random.nextLong(), rows);
      }
    }

    void step(int steps) {
      for (int i = 0; i < steps; i++) {
        environment.step(actions[i % ACTIONS], rows);
        for (int row = 0; row < rows.count(); row++) {
          if (rows.terminated()[row] || rows.truncated()[row]) {
            environment.reset(row, random.nextLong(), rows);
          }
        }
      }
    }
  }
}
