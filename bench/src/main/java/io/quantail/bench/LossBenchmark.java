package io.quantail.bench;

import io.quantail.critic.CategoricalCritic;
import io.quantail.critic.Critic;
import io.quantail.critic.CriticRow;
import io.quantail.critic.QuantileCritic;
import io.quantail.nn.Forward;
import io.quantail.nn.PolicyRow;
import io.quantail.rollout.Agent;
import io.quantail.tensor.Tensor;
import io.quantail.train.Trainer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Losses and their gradients, in loops and as tensors; a row is an operation. */
@State(Scope.Thread)
public class LossBenchmark {
  private static final int ROWS = 256;
  private static final int FEATURES = 64;

  private final Critic quantiles = new QuantileCritic(32, 1);
  private final Critic atoms = new CategoricalCritic(51, 10);
  private final float[][] outputs = new float[ROWS][51];
  private final float[][] gradient = new float[ROWS][51];
  private Trainer trainer;
  private Forward forward;
  private final float[] raw = {0.3f};
  private final float[] stored = {0.1f, 0.8f};

  @Setup(Level.Trial)
  public void prepare() {
    trainer = TrainedAgent.trainer("trading-64");
    Agent agent = trainer.agent();
    forward =
        agent
            .network()
            .step(agent.inference(), new float[ROWS][FEATURES], agent.network().initialState(ROWS));
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double quantileLoop() {
    return loop(quantiles);
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double categoricalLoop() {
    return loop(atoms);
  }

  private double loop(Critic critic) {
    CriticRow row = critic.row();
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += row.loss(outputs[i], 0, 0.1f * i, 1, gradient[i]);
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double quantileTensors() {
    try (io.quantail.tensor.Scope scope = io.quantail.tensor.Scope.open()) {
      Tensor leaf = Tensor.zeros(ROWS, 32).requireGradient();
      Tensor loss = quantiles.loss(leaf, Tensor.zeros(ROWS)).mean();
      loss.backward();
      return loss.item();
    }
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double squashedPolicy() {
    PolicyRow policy = forward.row();
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      policy.set(forward.actions()[i]);
      sum += policy.logProbability(raw, 0) + policy.entropy() + policy.divergenceFrom(stored, 0);
      policy.addGradient(gradient[i], 0.1, 0.1, 0.1);
    }
    return sum;
  }

  @TearDown(Level.Trial)
  public void close() {
    trainer.close();
  }
}
