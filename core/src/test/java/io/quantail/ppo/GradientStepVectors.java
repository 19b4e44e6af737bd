package io.quantail.ppo;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.NetworkConfig;
import io.quantail.config.OptimizerConfig;
import io.quantail.env.ActionSpace;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterLayout;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.network.WeightInitializer;
import io.quantail.optim.GradientNormClip;
import io.quantail.optim.OptimizerStep;
import io.quantail.parallel.ParallelLoop;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Gradients as an update treats them: scaled by their noise, clipped and measured. */
public final class GradientStepVectors implements VectorFamily {
  private static final String ELEMENTS = "critic.head1.elements";
  private static final String LAYER = "shared.lstm.";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "vgs_then_clip_order", this::checkOrder,
        "grad_global_norm_clip", this::checkClip,
        "lstm_grad_norm_per_layer", this::checkLayerNorms);
  }

  /**
   * Two opposite gradients have a normalised variance of 8, far above the cap of 1, so that the
   * third step gets exactly the factor that the strength stands for.
   */
  private void checkOrder(VectorCase vector) {
    float[] gradient = Floats.of(vector.doubles("gradient"));
    double strength = 1 / vector.number("factor") - 1;
    OptimizerConfig.Vgs scaling =
        new OptimizerConfig.Vgs(
            true, OptimizerConfig.VgsMeasure.ELEMENTWISE, 0.5, strength, 0, 1, 1e-9);
    Setup setup = new Setup(elements(gradient.length), 1);
    OptimizerStep step = setup.step(vector.number("max_grad_norm"), scaling);
    float[] noise = new float[gradient.length];
    for (float side : new float[] {1, -1}) {
      Arrays.fill(noise, side);
      setup.apply(step, noise);
    }
    OptimizerStep.Report report = setup.apply(step, gradient);
    double[] result = setup.moved();
    vector.allowSinglePrecision(Floats.largest(Floats.widened(gradient)));
    vector.expect("norm_pre_clip", report.normBefore());
    vector.expect("scale_then_clip", result);
    vector.expectNot("clip_then_scale", "scale_then_clip", result);
  }

  private void checkClip(VectorCase vector) {
    float[] gradient = Floats.of(vector.doubles("grads"));
    double limit = vector.number("max_norm");
    Setup setup = new Setup(elements(gradient.length), 1);
    OptimizerStep.Report report =
        setup.apply(setup.step(limit, OptimizerConfig.Vgs.defaults()), gradient.clone());
    vector.allowSinglePrecision(Floats.largest(Floats.widened(gradient)));
    vector.expect("norm_pre", report.normBefore());
    vector.expect("norm_post", report.normAfter());
    vector.expect("coef", GradientNormClip.of(limit).coefficient(report.normBefore()));
    vector.expectFlat("clipped", setup.moved());
  }

  /** Each layer's parameters lie side by side in the flat gradient. */
  private void checkLayerNorms(VectorCase vector) {
    JsonNode layers = vector.input("layer_param_grads");
    ParameterLayout builder = new ParameterLayout(1);
    List<String> names = new ArrayList<>();
    List<Double> gradient = new ArrayList<>();
    for (Map.Entry<String, JsonNode> layer : layers.properties()) {
      String prefix = LAYER + names.size() + ".p";
      names.add(layer.getKey());
      for (int i = 0; i < layer.getValue().size(); i++) {
        JsonNode numbers = layer.getValue().get(i);
        builder.add(prefix + i, WeightInitializer.constant(0), numbers.size());
        StreamSupport.stream(numbers.spliterator(), false)
            .forEach(number -> gradient.add(number.asDouble()));
      }
    }
    builder.add(ELEMENTS, WeightInitializer.constant(0), 1);
    gradient.add(0.0);
    Setup setup = new Setup(builder.build(), names.size());
    float[] flat = Floats.of(gradient.stream().mapToDouble(Double::doubleValue).toArray());
    OptimizerStep.Report report = setup.apply(setup.step(0, OptimizerConfig.Vgs.defaults()), flat);
    vector.allowSinglePrecision(Floats.largest(Floats.widened(flat)));
    vector.expectEntries(
        "norm",
        name -> report.groupNorms().get("train/lstm_grad_norm/" + LAYER + names.indexOf(name)));
  }

  private static Parameters elements(int count) {
    ParameterLayout builder = new ParameterLayout(1);
    builder.add(ELEMENTS, WeightInitializer.constant(0), count);
    builder.add(LAYER + "0.p0", WeightInitializer.constant(0), 1);
    return builder.build();
  }

  /** Parameters of any number, with the names that a network's monitored parts have. */
  private static final class Setup {
    private final Parameters parameters;
    private final ParameterReplica replica;
    private final ActorCritic network;

    Setup(Parameters parameters, int layers) {
      this.parameters = parameters;
      replica = parameters.replica();
      NetworkConfig config =
          new NetworkConfig(
              NetworkConfig.Memory.LSTM,
              2,
              layers,
              1,
              null,
              true,
              NetworkConfig.Activation.SILU,
              NetworkConfig.Squash.AUTO,
              0.2,
              1.5,
              NetworkConfig.Exploration.GAUSSIAN,
              -2);
      network =
          new ActorCritic(
              new ParameterLayout(1),
              config,
              new ActorCritic.Interface(1, new ActionSpace.Discrete(2), 1, new double[1], false));
    }

    /** Plain gradient descent. */
    OptimizerStep step(double maxNorm, OptimizerConfig.Vgs scaling) {
      OptimizerConfig config =
          new OptimizerConfig(
              OptimizerConfig.Name.SGD,
              1,
              OptimizerConfig.Schedule.CONSTANT,
              0,
              1,
              maxNorm,
              0,
              0.999,
              1e-8,
              0,
              0,
              0,
              0,
              OptimizerConfig.UtilityNorm.MIN_MAX,
              scaling);
      return new OptimizerStep(config, parameters, network, 1, ParallelLoop.ALONE);
    }

    /** One step of rate 1 from zero, so that the parameters become the gradient used. */
    OptimizerStep.Report apply(OptimizerStep step, float[] gradient) {
      parameters.set(new float[parameters.values().length]);
      replica.clearGradient();
      System.arraycopy(gradient, 0, replica.gradient(), 0, gradient.length);
      return step.apply(List.of(replica), new double[] {1}, new boolean[] {true}, 1, false);
    }

    /** How far the first parameters went. */
    double[] moved() {
      float[] moved = parameters.range(ELEMENTS).of(parameters.values());
      return Arrays.stream(Floats.widened(moved)).map(x -> -x).toArray();
    }
  }
}
