package io.quantail.bench;

import io.quantail.app.bench.BenchmarkMarket;
import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.env.tasks.CartPole;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.random.RandomStream;
import io.quantail.run.settings.YamlConfig;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One step of an environment; the market is the demo's with its default features. */
@State(Scope.Thread)
public class EnvironmentBenchmark {
  @Param({"cartpole", "synthetic", "market"})
  String name;

  private final RandomStream random = RandomStream.of(1, "benchmark", 0);
  private final float[] numbers = {0};
  private Environment environment;
  private Action action;
  private boolean done = true;

  @Setup(Level.Trial)
  public void prepare() {
    environment =
        switch (name) {
          case "cartpole" -> new CartPole();
          case "synthetic" -> new BenchmarkMarket(64, 256);
          default ->
              EnvironmentRegistry.of(
                      YamlConfig.parse(
                          "market: {}", "benchmark", List.of("environment.name=Market-v0")))
                  .create(0);
        };
    action = Action.view(environment.actionSpace(), numbers);
  }

  @Benchmark
  public Object step() {
    if (done) {
      done = false;
      return environment.reset(random);
    }
    numbers[0] = name.equals("cartpole") ? random.nextInt(2) : 0.5f;
    Step step = environment.step(action);
    done = step.done();
    return step;
  }

  @TearDown(Level.Trial)
  public void close() {
    environment.close();
  }
}
