package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.Schedule;
import io.quantail.config.UtilityNorm;
import io.quantail.config.VgsConfig;
import io.quantail.kernel.Vectors;
import io.quantail.nn.Initializer;
import io.quantail.nn.Parameters;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Gradients as one flat vector: norms, clipping and steps. */
public final class OptimizerVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "adamw_one_step", this::checkStep,
        "grad_global_norm_clip", this::checkClip,
        "lstm_grad_norm_per_layer", this::checkLayerNorms);
  }

  private void checkStep(VectorCase vector) {
    double[] betas = vector.doubles("betas");
    double rate = vector.number("lr");
    OptimizerConfig config =
        new OptimizerConfig(
            "adamw",
            rate,
            Schedule.CONSTANT,
            0,
            1,
            null,
            betas[0],
            betas[1],
            vector.number("eps"),
            vector.number("weight_decay"),
            0,
            0,
            0,
            UtilityNorm.MIN_MAX,
            VgsConfig.defaults());
    float[] parameter = Floats.of(vector.number("param"));
    Parameters.Slot slot = new Parameters.Slot("parameter", List.of(1L), 0, 1);
    Optimizer optimizer = Optimizers.create(config, List.of(slot), 1);
    optimizer.step(parameter, Floats.of(vector.number("grad")), rate);

    // To the last bit: single precision is coarser than the tolerance of the vector.
    double expected = vector.expected("param_new").doubleValue();
    assertThat(parameter).containsExactly((float) expected);
  }

  private void checkClip(VectorCase vector) {
    float[] gradient = Floats.of(vector.doubles("grads"));
    double norm = Vectors.norm(gradient);
    double coefficient = GradientClip.of(vector.number("max_norm")).coefficient(norm);
    Vectors.scale(gradient, coefficient);
    vector.expect("norm_pre", norm);
    vector.expect("coef", coefficient);
    vector.expectFlat("clipped", Floats.widened(gradient));
    vector.expect("norm_post", Vectors.norm(gradient));
  }

  /** Each layer's parameters lie side by side in the flat gradient; its part has one norm. */
  private void checkLayerNorms(VectorCase vector) {
    Initializer zeros = (random, shape) -> new float[(int) shape[0]];
    Parameters.Builder builder = new Parameters.Builder(1);
    List<Double> gradient = new ArrayList<>();
    vector
        .input("layer_param_grads")
        .properties()
        .forEach(
            layer -> {
              for (int i = 0; i < layer.getValue().size(); i++) {
                builder.add(layer.getKey() + ".p" + i, zeros, layer.getValue().get(i).size());
                StreamSupport.stream(layer.getValue().get(i).spliterator(), false)
                    .forEach(number -> gradient.add(number.asDouble()));
              }
            });
    Parameters parameters = builder.build();
    float[] whole = Floats.of(gradient.stream().mapToDouble(Double::doubleValue).toArray());
    vector.expectEntries("norm", layer -> Vectors.norm(parameters.range(layer + ".").of(whole)));
  }
}
