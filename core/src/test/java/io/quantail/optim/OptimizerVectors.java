package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.network.Parameters;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.List;
import java.util.Map;

/** Steps of optimisers. */
public final class OptimizerVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("adamw_one_step", this::checkStep);
  }

  private void checkStep(VectorCase vector) {
    double[] betas = vector.doubles("betas");
    double rate = vector.number("lr");
    OptimizerConfig config =
        new OptimizerConfig(
            OptimizerConfig.Name.ADAMW,
            rate,
            OptimizerConfig.Schedule.CONSTANT,
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
            OptimizerConfig.UtilityNorm.MIN_MAX,
            OptimizerConfig.Vgs.defaults());
    float[] parameter = Floats.of(vector.number("param"));
    Parameters.Slot slot = new Parameters.Slot("parameter", List.of(1L), 0, 1);
    Optimizer optimizer = Optimizer.create(config, List.of(slot), 1);
    optimizer.step(parameter, Floats.of(vector.number("grad")), rate);

    vector.allowSinglePrecision(vector.number("param"));
    vector.expect("param_new", parameter[0]);
  }
}
