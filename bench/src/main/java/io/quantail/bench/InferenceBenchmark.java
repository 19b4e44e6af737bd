package io.quantail.bench;

import io.quantail.nn.Forward;
import io.quantail.nn.RecurrentState;
import io.quantail.rollout.Agent;
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
  private Agent agent;
  private RecurrentState state;
  private float[][] observations;

  @Setup(Level.Trial)
  public void prepare() {
    trainer = TrainedAgent.trainer("trading-64");
    agent = trainer.agent();
    state = agent.network().initialState(environments);
    observations = new float[environments][FEATURES];
  }

  @Benchmark
  public Forward step() {
    Forward forward = agent.network().step(agent.inference(), observations, state);
    state = forward.next();
    return forward;
  }

  @TearDown(Level.Trial)
  public void close() {
    trainer.close();
  }
}
