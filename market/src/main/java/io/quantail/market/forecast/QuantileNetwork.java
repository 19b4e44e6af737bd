package io.quantail.market.forecast;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.ActivationFunction;
import io.quantail.kernel.DenseLayer;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.Workspace;
import io.quantail.network.ParameterLayout;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.optim.Optimizer;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.List;
import java.util.Objects;

/**
 * Two layers of SiLU units and one linear output for each level, trained by Adam on the {@link
 * PinballLoss}. The weights of the outputs start at 0, so an untrained network gives its initial
 * biases for every input. For one thread at a time. Pinned by {@code QuantileNetworkTest}.
 */
final class QuantileNetwork implements Restorable {
  private static final double LEARNING_RATE = 1e-3;
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  private final double[] levels;
  private final Parameters parameters;
  private final ParameterReplica replica;
  private final Optimizer optimizer;
  private final int first;
  private final int second;
  private final int output;

  /**
   * An untrained network.
   *
   * @param levels of the outputs
   * @param biases initial outputs
   */
  QuantileNetwork(int inputs, int units, double[] levels, double[] biases, long seed) {
    this.levels = levels.clone();
    ParameterLayout layout = new ParameterLayout(seed);
    first = layer(layout, "forecast.first", inputs, units);
    second = layer(layout, "forecast.second", units, units);
    output = layout.affine(List.of(layout.addLinear("forecast.output", units, biases, 0)));
    parameters = layout.build();
    replica = parameters.replica();
    optimizer = Optimizer.create(OptimizerConfig.defaults(), parameters.slots(), seed);
  }

  private static int layer(ParameterLayout layout, String name, int inputs, int units) {
    int map = layout.affine(List.of(layout.addLinear(name, inputs, units, HIDDEN_GAIN)));
    return layout.feedForward(maps -> new DenseLayer(maps.get(map), ActivationFunction.SILU));
  }

  /** Results of a forward pass that the backward pass needs. */
  private record Pass(FeedForward.Trace first, FeedForward.Trace second, float[][] outputs) {}

  private Pass forward(float[][] inputs) {
    replica.refresh();
    Workspace workspace = replica.workspace();
    workspace.reset();
    int rows = inputs.length;
    FeedForward.Trace lower = replica.feedForward(first).forward(workspace, inputs, rows);
    FeedForward.Trace upper = replica.feedForward(second).forward(workspace, lower.y(), rows);
    float[][] outputs = workspace.rows(rows, levels.length);
    replica.affine(output).apply(outputs, upper.y(), rows);
    return new Pass(lower, upper, outputs);
  }

  /** The outputs for one input. */
  double[] outputs(float[] input) {
    return doubles(forward(new float[][] {input}).outputs[0]);
  }

  /** The mean loss of a batch, whose gradient replaces the last one. */
  double backward(float[][] inputs, double[] targets) {
    Pass pass = forward(inputs);
    Workspace workspace = replica.workspace();
    float[][] dOutputs = workspace.rows(inputs.length, levels.length);
    double[] slopes = new double[levels.length];
    double sum = 0;
    for (int row = 0; row < inputs.length; row++) {
      sum += PinballLoss.of(levels, doubles(pass.outputs[row]), targets[row], slopes);
      for (int i = 0; i < slopes.length; i++) {
        dOutputs[row][i] = (float) (slopes[i] / inputs.length);
      }
    }
    replica.clearGradient();
    replica.affine(output).addGradient(workspace, dOutputs, pass.second.y(), inputs.length);
    float[][] dUpper = replica.affine(output).inputGradient(workspace, dOutputs, inputs.length);
    float[][] dLower = pass.second.backward(workspace, dUpper, true);
    pass.first.backward(workspace, Objects.requireNonNull(dLower), false);
    return sum / inputs.length;
  }

  /** One step of the optimiser with the last gradient. */
  void step() {
    parameters.change(values -> optimizer.step(values, replica.gradient(), LEARNING_RATE));
  }

  Parameters parameters() {
    return parameters;
  }

  float[] gradient() {
    return replica.gradient();
  }

  private static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  @Override
  public void save(StateMap state) {
    parameters.save(state.child("parameters"));
    optimizer.save(state.child("optimizer"));
  }

  @Override
  public Runnable restoring(StateMap state) {
    Runnable weights = parameters.restoring(state.child("parameters"));
    Runnable moments = optimizer.restoring(state.child("optimizer"));
    return () -> {
      weights.run();
      moments.run();
    };
  }
}
