package io.quantail.bench;

import io.quantail.ActingAgent;
import io.quantail.ActingBatch;
import io.quantail.Agent;
import io.quantail.Decision;
import io.quantail.Training;
import io.quantail.env.Action;
import io.quantail.env.tasks.CartPole;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The time of a decision when an agent is served, with its percentiles. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ActingBenchmark {
  private static final int EPISODES = 64;

  private final float[] observation = {0.01f, 0.02f, 0.03f, 0.04f};
  private final float[] observations = new float[4 * EPISODES];
  private final float[] actions = new float[EPISODES];
  private ActingAgent acting;
  private ActingBatch batch;

  @Setup
  public void train() {
    Agent agent = Training.of(CartPole::new).episodeLimit(500).steps(2048).run().agent();
    acting = agent.acting();
    batch = agent.acting(EPISODES);
  }

  @Benchmark
  public Action act() {
    return acting.act(observation);
  }

  @Benchmark
  public Decision decide() {
    return acting.decide(observation);
  }

  @Benchmark
  public float[] act64Episodes() {
    batch.act(observations, actions);
    return actions;
  }
}
