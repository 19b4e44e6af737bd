package io.quantail.optim.plasticity;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.ActivationFunction;
import io.quantail.kernel.AffineMap;
import io.quantail.kernel.DenseLayer;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.FloatVectors;
import io.quantail.kernel.PackedWeights;
import io.quantail.kernel.Workspace;
import io.quantail.network.ParameterLayout;
import io.quantail.network.Parameters;
import io.quantail.network.WeightInitializer;
import io.quantail.optim.Optimizer;
import io.quantail.parallel.ParallelLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A network of two hidden layers that is trained on, and never told of, a changing task. */
final class ContinualLearner {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  private final Parameters parameters;
  private final float[] gradient;
  private final List<PackedWeights> weights = new ArrayList<>();
  private final DenseLayer first;
  private final DenseLayer second;
  private final AffineMap head;
  private final Workspace workspace = new Workspace();
  private final Optimizer optimizer;
  private final double learningRate;

  ContinualLearner(OptimizerConfig config, int width, long seed) {
    ParameterLayout builder = new ParameterLayout(seed);
    declare(builder, "first", ChangingTask.INPUTS, width, HIDDEN_GAIN);
    declare(builder, "second", width, width, HIDDEN_GAIN);
    declare(builder, "head", width, ChangingTask.CLASSES, 1);
    parameters = builder.build();
    gradient = new float[parameters.values().length];
    first = new DenseLayer(map("first"), ActivationFunction.RELU);
    second = new DenseLayer(map("second"), ActivationFunction.RELU);
    head = map("head");
    optimizer = Optimizer.create(config, parameters.slots(), seed);
    learningRate = config.learningRate();
  }

  private static void declare(
      ParameterLayout builder, String name, int inputs, int outputs, double gain) {
    builder.add(name + ".weight", WeightInitializer.orthogonal(gain), outputs, inputs);
    builder.add(name + ".bias", WeightInitializer.constant(0), outputs);
  }

  private AffineMap map(String name) {
    Parameters.Range weight = parameters.range(name + ".weight");
    Parameters.Range bias = parameters.range(name + ".bias");
    PackedWeights.Part part =
        new PackedWeights.Part((int) bias.count(), (int) weight.offset(), (int) bias.offset());
    PackedWeights map = new PackedWeights((int) (weight.count() / bias.count()), List.of(part));
    weights.add(map);
    return new AffineMap(map, gradient, ParallelLoop.ALONE);
  }

  /** Predicts a batch, then learns from it; returns the fraction of right predictions. */
  double step(ChangingTask.Batch batch) {
    int size = batch.labels().length;
    workspace.reset();
    weights.forEach(map -> map.read(parameters.values()));
    float[][] x = FloatVectors.split(batch.inputs(), ChangingTask.INPUTS);
    FeedForward.Trace inner = first.forward(workspace, x, size);
    FeedForward.Trace outer = second.forward(workspace, inner.y(), size);
    float[][] scores = workspace.rows(size, ChangingTask.CLASSES);
    head.apply(scores, outer.y(), size);
    double accuracy = accuracy(scores, batch.labels());

    Arrays.fill(gradient, 0);
    float[][] dScores = crossEntropyGradient(scores, batch.labels());
    head.addGradient(workspace, dScores, outer.y(), size);
    float[][] dOuter = head.inputGradient(workspace, dScores, size);
    inner.backward(workspace, outer.backward(workspace, dOuter, true), false);
    parameters.change(values -> optimizer.step(values, gradient, learningRate));
    return accuracy;
  }

  /** Of the mean over the samples, by the scores: {@code (softmax - label) / samples}. */
  private static float[][] crossEntropyGradient(float[][] scores, long[] labels) {
    float[][] gradient = new float[scores.length][ChangingTask.CLASSES];
    for (int row = 0; row < scores.length; row++) {
      double largest = scores[row][best(scores[row])];
      double sum = 0;
      for (float score : scores[row]) {
        sum += Math.exp(score - largest);
      }
      for (int i = 0; i < ChangingTask.CLASSES; i++) {
        double probability = Math.exp(scores[row][i] - largest) / sum;
        double label = i == labels[row] ? 1 : 0;
        gradient[row][i] = (float) ((probability - label) / scores.length);
      }
    }
    return gradient;
  }

  private static double accuracy(float[][] scores, long[] labels) {
    int right = 0;
    for (int row = 0; row < labels.length; row++) {
      right += best(scores[row]) == labels[row] ? 1 : 0;
    }
    return (double) right / labels.length;
  }

  private static int best(float[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }
}
