package io.quantail.optim.plasticity;

import io.quantail.config.OptimizerConfig;
import io.quantail.nn.Initializer;
import io.quantail.nn.Parameters;
import io.quantail.optim.Optimizer;
import io.quantail.optim.Optimizers;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/** A network of two hidden layers that is trained on, and never told of, a changing task. */
final class ContinualLearner implements AutoCloseable {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  private final Parameters parameters;
  private final Parameters.Replica replica;
  private final Optimizer optimizer;
  private final double learningRate;

  ContinualLearner(OptimizerConfig config, int width, long seed) {
    Parameters.Builder builder = new Parameters.Builder(seed);
    declare(builder, "first", ChangingTask.INPUTS, width, HIDDEN_GAIN);
    declare(builder, "second", width, width, HIDDEN_GAIN);
    declare(builder, "head", width, ChangingTask.CLASSES, 1);
    parameters = builder.build();
    replica = parameters.replica();
    optimizer = Optimizers.create(config, parameters.slots(), parameters.values(), seed);
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
    double accuracy;
    try (Scope scope = Scope.open()) {
      replica.gradient().zeroInPlace();
      Tensor x = Tensor.of(batch.inputs(), size, ChangingTask.INPUTS);
      Tensor scores = forward(x).logSoftmax(1); // [sample, class]
      Tensor labels = Tensor.of(batch.labels(), size, 1);
      scores.gather(1, labels).mean().neg().backward();
      accuracy = accuracy(scores.detach().floats(), batch.labels());
    }
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      optimizer.step(parameters.values(), replica.gradient(), learningRate);
    }
    return accuracy;
  }

  private Tensor forward(Tensor x) {
    Tensor inner = Layers.relu(Layers.linear(x, replica.get(0), replica.get(1)));
    Tensor outer = Layers.relu(Layers.linear(inner, replica.get(2), replica.get(3)));
    return Layers.linear(outer, replica.get(4), replica.get(5));
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

  @Override
  public void close() {
    optimizer.close();
    replica.close();
    parameters.close();
  }
}
