package io.quantail.bench;

import io.quantail.app.bench.BenchmarkWorkload;
import io.quantail.config.PpoConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.kernel.FloatVectors;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.PpoLoss;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.parallel.WorkerPool;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.RolloutCollector;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.state.Safetensors;
import io.quantail.state.StateMap;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes a minibatch of a workload with parameters, the loss and its gradient, so that the peers in
 * {@code bench/peers} can show that they compute the same.
 *
 * <p>{@code java -cp ... io.quantail.bench.LossExport WORKLOAD FILE [SETTING=VALUE]...}
 */
public final class LossExport {
  /** Moves the parameters after collecting, so that ratios and divergences differ from 1 and 0. */
  private static final double MOVED = 1.2;

  private LossExport() {}

  /** Writes the file. */
  public static void main(String[] arguments) throws IOException {
    StateMap state =
        of(arguments[0], List.of(arguments).subList(2, arguments.length).toArray(String[]::new));
    try (OutputStream stream = Files.newOutputStream(Path.of(arguments[1]))) {
      WritableByteChannel channel = Channels.newChannel(stream);
      Safetensors.write(
          state,
          bytes -> {
            while (bytes.hasRemaining()) {
              channel.write(bytes);
            }
          });
    }
  }

  /** The arrays of a workload: parameters, batch, loss and gradient. */
  static StateMap of(String workload, String... overrides) {
    RunConfig config = WarmTrainer.config(workload, overrides);
    try (VectorEnvironment environments =
            new VectorEnvironment(
                BenchmarkWorkload.named(workload).environments(),
                config.environment().count(),
                config.seed());
        WorkerPool workers = new WorkerPool(1)) {
      AgentModel model =
          new AgentModel(config, environments.observationSpace(), environments.actionSpace());
      RolloutCollector collector =
          new RolloutCollector(
              model.agent(), environments, workers, RolloutCollector.Options.of(config));
      collector.collect();
      Rollout rollout = collector.collect(); // its windows start from states that are not zero
      TrainingTargets targets = targets(config, rollout, model.agent());
      model.parameters().change(values -> FloatVectors.scale(values, MOVED));
      return of(config, model, rollout, targets);
    }
  }

  private static TrainingTargets targets(RunConfig config, Rollout rollout, ActingModel agent) {
    Critic critic = agent.critic();
    ReturnScale scale =
        new ReturnScaleTracker(config.returns())
            .begin(
                rollout.rewards(),
                rollout.terminated(),
                rollout.truncated(),
                rollout.shape().environments(),
                config.rollout().gamma());
    Gae.Input collected = rollout.gaeInput(config.rollout(), critic, scale);
    Gae.Result gae = Gae.compute(collected, config.targetLambda());
    return TrainingTargets.of(
        gae,
        TrainingTargets.distribution(config, 0, rollout, collected, gae, critic, scale),
        collected.environments(),
        config.rollout(),
        scale);
  }

  private static StateMap of(
      RunConfig config, AgentModel model, Rollout rollout, TrainingTargets targets) {
    PpoConfig ppo = config.ppo();
    LossCoefficients coefficients =
        new LossCoefficients(
            ppo.clipRange().from(),
            0,
            0,
            ppo.entropy().coefficient().from(),
            config.critic().coefficient().from(),
            Optional.empty(),
            Optional.empty());
    int length = rollout.shape().window();
    int[] windows = new int[ppo.batchSize() / length];
    Arrays.setAll(windows, i -> (7 * i) % rollout.shape().windows());
    SequenceBatch batch = new SequenceBatch(rollout, windows);
    ParameterReplica replica = model.parameters().replica();
    LossResult result =
        new PpoLoss(model.agent(), ppo).backward(replica, batch, targets, coefficients, 1);

    StateMap state = new StateMap();
    model.parameters().save(state.child("parameters"));
    StateMap gradient = state.child("gradient");
    for (Parameters.Slot slot : model.parameters().slots()) {
      gradient.putFloats(
          slot.name(),
          new Parameters.Range(slot.offset(), slot.count()).of(replica.gradient()),
          slot.dimensions());
    }
    state.putDouble("loss", result.total());
    putBatch(state.child("batch"), batch, targets);
    return state;
  }

  private static void putBatch(StateMap state, SequenceBatch batch, TrainingTargets targets) {
    SequenceInput sequences = batch.sequences();
    int rows = batch.size();
    int windows = batch.windows();
    int particles = targets.distribution().count();
    state.putFloats(
        "observations",
        RecurrentState.flat(new float[][][] {sequences.observations()}),
        rows,
        sequences.observations()[0].length);
    state.putFloats("raw", batch.rawActions(), rows, batch.actionSize());
    state.putFloats("logProbability", batch.logProbabilities(), rows);
    state.putFloats("advantage", batch.pick(targets.advantages()), rows);
    state.putFloats("target", batch.pick(targets.targets()), rows);
    float[] picked = new float[rows * particles];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(
          targets.particles(),
          batch.transitions()[row] * particles,
          picked,
          row * particles,
          particles);
    }
    state.putFloats("particles", picked, rows, particles);
    putState(state, "hidden", sequences.initial().hidden(), windows);
    putState(state, "cell", sequences.initial().cell(), windows);
  }

  /** The state before each window; no episode of a workload starts inside of one. */
  private static void putState(StateMap state, String name, float[][][] planes, int windows) {
    for (float[][] plane : planes) {
      if (plane.length != windows) {
        throw new IllegalStateException(
            "an episode starts inside of a window: "
                + plane.length
                + " sequences in "
                + windows
                + " windows");
      }
      state.putFloats(name, RecurrentState.flat(new float[][][] {plane}), windows, plane[0].length);
    }
  }
}
