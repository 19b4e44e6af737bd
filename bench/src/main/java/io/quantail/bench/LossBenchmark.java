package io.quantail.bench;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.train.Trainer;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.ClippedLoss;
import io.quantail.value.Critic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ValueClip;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Losses and their gradients; a row is an operation. */
@State(Scope.Thread)
public class LossBenchmark {
  private static final int ROWS = 256;
  private static final int FEATURES = 64;

  private static final int PARTICLES = 16;

  private final Critic quantiles = new QuantileCritic(51, 0, true);
  private final Critic atoms = new CategoricalCritic(101, 10);
  private final float[][] outputs = new float[ROWS][101];
  private final float[][] gradient = new float[ROWS][101];
  private final float[] particles = new float[ROWS * PARTICLES];
  private final float[] old = new float[52];
  private Trainer trainer;
  private NetworkPass pass;
  private final float[] raw = {0.3f};
  private final float[] stored = {0.1f, 0.8f};

  @Setup(Level.Trial)
  public void prepare() {
    for (int i = 0; i < particles.length; i++) {
      particles[i] = 0.01f * (i % 257);
    }
    trainer = WarmTrainer.trainer("trading-64");
    ActingModel agent = trainer.agent();
    pass =
        agent
            .network()
            .step(
                new Workspace(),
                agent.inference(),
                new float[ROWS][FEATURES],
                agent.network().initialState(ROWS));
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
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += critic.loss(outputs[i], 0, particles, i * PARTICLES, PARTICLES, 1, gradient[i]);
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double clippedQuantiles() {
    ClippedLoss loss =
        new ClippedLoss(new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.01, 1), quantiles);
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum +=
          loss.evaluate(outputs[i], 0, old, 0, particles, i * PARTICLES, PARTICLES, 1, gradient[i]);
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double quantileCvar() {
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += quantiles.cvar(outputs[i], 0, 0.05, RiskConfig.CvarMethod.TAILS, gradient[i]);
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double squashedPolicy() {
    PolicyDistribution policy = pass.policy();
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      pass.set(policy, i);
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
