package io.quantail.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.io.AtomicFiles;
import io.quantail.model.ActingModel;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.run.io.Json;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.Critic;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * What an agent itself computes step by step, to check an exported model or another program that
 * reads snapshots.
 *
 * <p>The file has one line of JSON with the metadata of the model, and then one line for each step:
 * whether it starts an episode, the observation, the mask, and every output under the name that it
 * has in the model.
 */
public final class ReferenceRows {
  private final ExportedAgent agent;
  private final ActingModel model;
  private final Critic critic;
  private final PolicyRunner runner;

  /**
   * One step.
   *
   * @param start whether it is the first of an episode
   * @param observation as the environment returned it
   * @param mask which choices are allowed; empty if the action has none
   * @param action most likely one, as the environment takes it
   * @param outputs by the name of the output of the model, the action among them
   */
  record Row(
      boolean start,
      float[] observation,
      boolean[] mask,
      float[] action,
      Map<String, double[]> outputs) {}

  /** Starts with a new episode. */
  ReferenceRows(ExportedAgent agent) {
    this.agent = agent;
    model = agent.model();
    critic = model.critic();
    runner = new PolicyRunner(model, 1);
  }

  /**
   * Plays episodes with the most likely actions and writes what the agent computes in each step; a
   * file that exists is replaced. A failure leaves the file as it was.
   *
   * @param environments that the agent acts in
   * @param steps number of rows
   * @return the file
   */
  public static Path write(
      ExportedAgent agent, EnvironmentFactory environments, int steps, Path file) {
    return AtomicFiles.write(
        file,
        output -> {
          writeLine(output, Json.tree(OnnxExporter.metadata(agent)));
          try (VectorEnvironment played = environment(agent, environments)) {
            ReferenceRows rows = new ReferenceRows(agent);
            for (int step = 0; step < steps; step++) {
              Row row = rows.step(played.observations(), rows.mask(played));
              rows.act(played, row);
              writeLine(output, tree(row));
            }
          }
        });
  }

  /** One environment with the time limit of evaluations, at the start of an episode. */
  static VectorEnvironment environment(ExportedAgent agent, EnvironmentFactory environments) {
    int limit = agent.config().evaluation().maxEpisodeSteps();
    VectorEnvironment environment =
        new VectorEnvironment(
            index -> new TimeLimitWrapper(environments.create(index), limit),
            1,
            agent.config().seed());
    environment.reset();
    return environment;
  }

  private static void writeLine(OutputStream output, ObjectNode tree) throws IOException {
    output.write((Json.line(tree) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode tree(Row row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("start", row.start());
    fields.put("observation", row.observation());
    if (row.mask().length > 0) {
      fields.put("mask", row.mask());
    }
    fields.putAll(row.outputs());
    return Json.tree(fields);
  }

  private boolean[] mask(VectorEnvironment environment) {
    if (environment.maskSize() > 0) {
      return environment.masks();
    }
    boolean[] all = new boolean[agent.actionSpace().maskSize()];
    Arrays.fill(all, true);
    return all;
  }

  /**
   * What the agent computes from an observation; its recurrent state advances.
   *
   * @param mask which choices are allowed
   */
  Row step(float[] observation, boolean[] mask) {
    boolean start = runner.starts(0);
    NetworkPass pass = runner.step(observation, mask);
    Map<String, double[]> outputs = new LinkedHashMap<>();
    float[] raw = runner.rawActions(pass, null, 0);
    float[] action = model.network().environmentActions(raw);
    outputs.put("action", doubles(action));
    addDistribution(pass, outputs);
    addForecast(pass.values()[0], outputs);
    return new Row(start, observation.clone(), mask.clone(), action, outputs);
  }

  /** Starts an episode with the next observation. */
  void start() {
    runner.start(0);
  }

  /** Executes the action of a row. */
  void act(VectorEnvironment environment, Row row) {
    environment.step(0, 1, row.action());
    if (environment.terminated()[0] || environment.truncated()[0]) {
      start();
    }
  }

  private void addDistribution(NetworkPass pass, Map<String, double[]> outputs) {
    PolicyDistribution policy = pass.policy();
    pass.set(policy, 0);
    float[] stored = new float[model.network().distributionParameters()];
    policy.store(stored, 0);
    int first = 0;
    for (ActionSpace part : agent.actionSpace().parts()) {
      int size = part.maskSize() > 0 ? part.maskSize() : part.size();
      double[] values = doubles(Arrays.copyOfRange(stored, first, first + size));
      first += size;
      if (part.maskSize() > 0) {
        double[] probabilities = Arrays.stream(values).map(StrictMath::exp).toArray();
        outputs.merge("action_probabilities", probabilities, ReferenceRows::join);
      } else {
        double[] sigma = doubles(Arrays.copyOfRange(stored, first, first + size));
        first += size;
        outputs.merge("action_mean", values, ReferenceRows::join);
        outputs.merge("action_sigma", sigma, ReferenceRows::join);
      }
    }
  }

  private static double[] join(double[] first, double[] second) {
    return DoubleStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  private void addForecast(float[] values, Map<String, double[]> outputs) {
    critic.read(values);
    outputs.put("return_mean", new double[] {agent.scale().denormalize(critic.value(values))});
    if (critic instanceof CategoricalCritic categorical) {
      outputs.put("return_probabilities", categorical.probabilities());
      outputs.put("return_atoms", denormalized(categorical.support().atoms()));
    } else {
      double[] quantiles = new double[critic.points()];
      Arrays.setAll(quantiles, i -> critic.quantile((i + 0.5) / quantiles.length));
      outputs.put("return_quantiles", denormalized(quantiles));
    }
  }

  private double[] denormalized(double[] values) {
    return Arrays.stream(values).map(agent.scale()::denormalize).toArray();
  }

  private static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    Arrays.setAll(doubles, i -> values[i]);
    return doubles;
  }
}
