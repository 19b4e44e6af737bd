package io.quantail.optim.plasticity;

import io.quantail.config.OptimizerConfig;
import io.quantail.nn.Initializer;
import io.quantail.nn.Parameters;
import io.quantail.optim.Optimizer;
import io.quantail.optim.Optimizers;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A network of two hidden layers that is trained on, and never told of, a changing task. */
final class ContinualLearner {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  private final Parameters parameters;
  private final Optimizer optimizer;
  private final double learningRate;

  ContinualLearner(OptimizerConfig config, int width, long seed) {
    Parameters.Builder builder = new Parameters.Builder(seed);
    declare(builder, "first", ChangingTask.INPUTS, width, HIDDEN_GAIN);
    declare(builder, "second", width, width, HIDDEN_GAIN);
    declare(builder, "head", width, ChangingTask.CLASSES, 1);
    parameters = builder.build();
    optimizer = Optimizers.create(config, parameters.slots(), seed);
    learningRate = config.learningRate();
  }

  private static void declare(
      Parameters.Builder builder, String name, int inputs, int outputs, double gain) {
    builder.add(name + ".weight", Initializer.orthogonal(gain), outputs, inputs);
    builder.add(name + ".bias", Initializer.constant(0), outputs);
  }

  /** Predicts a batch, then learns from it; returns the share of right predictions. */
  double step(ChangingTask.Batch batch) {
    int size = batch.labels().length;
    try (Scope scope = Scope.open()) {
      List<Tensor> leaves = leaves();
      Tensor x = Tensor.of(batch.inputs(), size, ChangingTask.INPUTS);
      Tensor scores = forward(x, leaves).logSoftmax(1); // [sample, class]
      Tensor labels = Tensor.of(batch.labels(), size, 1);
      scores.gather(1, labels).mean().neg().backward();
      float[] gradient = gradient(leaves);
      parameters.change(values -> optimizer.step(values, gradient, learningRate));
      return accuracy(scores.detach().floats(), batch.labels());
    }
  }

  /** Weights and biases as libtorch differentiates them. */
  private List<Tensor> leaves() {
    List<Tensor> leaves = new ArrayList<>();
    for (int slot = 0; slot < parameters.slots().size(); slot++) {
      float[] numbers = parameters.range(slot).of(parameters.values());
      long[] shape = parameters.slots().get(slot).dimensions();
      leaves.add(Tensor.of(numbers, shape).requireGradient());
    }
    return leaves;
  }

  private float[] gradient(List<Tensor> leaves) {
    float[] gradient = new float[parameters.values().length];
    for (int slot = 0; slot < leaves.size(); slot++) {
      float[] part = leaves.get(slot).gradient().floats();
      System.arraycopy(part, 0, gradient, (int) parameters.range(slot).offset(), part.length);
    }
    return gradient;
  }

  private static Tensor forward(Tensor x, List<Tensor> leaves) {
    Tensor inner = Layers.relu(Layers.linear(x, leaves.get(0), leaves.get(1)));
    Tensor outer = Layers.relu(Layers.linear(inner, leaves.get(2), leaves.get(3)));
    return Layers.linear(outer, leaves.get(4), leaves.get(5));
  }

  private static double accuracy(float[] scores, long[] labels) {
    int right = 0;
    for (int row = 0; row < labels.length; row++) {
      int best = row * ChangingTask.CLASSES;
      for (int i = best + 1; i < (row + 1) * ChangingTask.CLASSES; i++) {
        best = scores[i] > scores[best] ? i : best;
      }
      right += best % ChangingTask.CLASSES == labels[row] ? 1 : 0;
    }
    return (double) right / labels.length;
  }
}
