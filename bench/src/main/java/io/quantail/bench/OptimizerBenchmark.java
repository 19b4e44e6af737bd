package io.quantail.bench;

import io.quantail.config.RunConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.optim.Optimizer;
import io.quantail.train.Trainer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One step over all parameters of the network of {@code trading-64}. */
@State(Scope.Thread)
public class OptimizerBenchmark {
  private static final double RATE = 1e-9; // the weights stay where they are

  @Param({"adam", "adamw", "upgd", "adaptive-upgd"})
  String name;

  private Trainer trainer;
  private Optimizer optimizer;
  private float[] values;
  private float[] gradient;

  @Setup(Level.Trial)
  public void prepare() {
    trainer = WarmTrainer.trainer("trading-64");
    RunConfig config = WarmTrainer.config("trading-64", "optimizer.name=" + name);
    values = trainer.model().parameters().values();
    optimizer = Optimizer.create(config.optimizer(), trainer.model().parameters().slots(), 1);
    gradient = values.clone();
    FloatVectors.scale(gradient, 0.01);
  }

  @Benchmark
  public void step() {
    optimizer.step(values, gradient, RATE);
  }

  @TearDown(Level.Trial)
  public void close() {
    trainer.close();
  }
}
