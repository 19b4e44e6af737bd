package io.quantail.bench;

import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.train.Trainer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One step of the policy in some environments. */
@State(Scope.Thread)
public class InferenceBenchmark {
  private static final int FEATURES = 64;

  @Param({"1", "8", "64"})
  int environments;

  private Trainer trainer;
  private PolicyRunner runner;
  private float[] observations;

  @Setup(Level.Trial)
  public void prepare() {
    trainer = WarmTrainer.trainer("trading-64");
    runner = new PolicyRunner(trainer.agent(), environments);
    observations = new float[environments * FEATURES];
  }

  @Benchmark
  public NetworkPass step() {
    return runner.step(observations);
  }

  @TearDown(Level.Trial)
  public void close() {
    trainer.close();
  }
}
