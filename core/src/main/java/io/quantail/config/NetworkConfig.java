package io.quantail.config;

import io.quantail.config.Check.Setting;
import org.jspecify.annotations.Nullable;

/**
 * The shape of actor and critic; section {@code network}.
 *
 * @param memory recurrent trunk or none: {@code lstm} or {@code none}; default {@code lstm}
 * @param hidden units of each layer; in [1, 4096]; default 64
 * @param layers layers of the trunk; in [1, 8]; default 1
 * @param headLayers feed-forward layers between trunk and heads: 2, with a linear path beside them,
 *     or 1 alone; default 2
 * @param headUnits units of each of these layers; in [1, 4096]; default null: the same as {@code
 *     hidden}
 * @param sharedMemory whether actor and critic share one trunk; default false: one each
 * @param activation nonlinearity of feed-forward layers: {@code silu}, {@code relu}, {@code tanh},
 *     {@code leaky-relu}, {@code elu} or {@code gelu}; default {@code silu}
 * @param squash how continuous actions are mapped into their bounds: {@code auto}, {@code tanh},
 *     {@code sigmoid} or {@code none}; default {@code auto}
 * @param sigmaMin smallest standard deviation of a continuous action before squashing; positive;
 *     default 0.2
 * @param sigmaMax largest one; greater than {@code sigmaMin}; default 1.5
 * @param exploration how continuous actions are drawn: {@code gaussian}, anew at each step, or
 *     {@code gsde}, generalised state-dependent exploration; default {@code gaussian}
 * @param gsdeLogSigma with {@code gsde}, where the logarithm of each trained standard deviation
 *     starts; in [-20, 5]; default -2
 */
public record NetworkConfig(
    Memory memory,
    int hidden,
    int layers,
    int headLayers,
    @Nullable Integer headUnits,
    boolean sharedMemory,
    Activation activation,
    Squash squash,
    double sigmaMin,
    double sigmaMax,
    Exploration exploration,
    double gsdeLogSigma) {
  public NetworkConfig {
    Check.present("network.memory", memory);
    Check.within("network.hidden", hidden, 1, 4096);
    Check.within("network.layers", layers, 1, 8);
    Check.within("network.headLayers", headLayers, 1, 2);
    if (headUnits != null) {
      Check.within("network.headUnits", headUnits, 1, 4096);
    }
    Check.present("network.activation", activation);
    Check.present("network.squash", squash);
    Check.positive("network.sigmaMin", sigmaMin);
    Check.positive("network.sigmaMax", sigmaMax);
    Check.above(
        new Setting("network.sigmaMax", sigmaMax), new Setting("network.sigmaMin", sigmaMin));
    Check.present("network.exploration", exploration);
    Check.within("network.gsdeLogSigma", gsdeLogSigma, -20.0, 5.0);
  }

  /** Units of each feed-forward layer between trunk and heads. */
  public int headWidth() {
    return headUnits == null ? hidden : headUnits;
  }

  public static NetworkConfig defaults() {
    return new NetworkConfig(
        Memory.LSTM,
        64,
        1,
        2,
        null,
        false,
        Activation.SILU,
        Squash.AUTO,
        0.2,
        1.5,
        Exploration.GAUSSIAN,
        -2);
  }

  /** How continuous actions are drawn; setting {@code network.exploration}. */
  public enum Exploration {
    /** Independent noise at each step, with one trained standard deviation per component. */
    GAUSSIAN,
    /** Noise that is one function of the state until the episode or the rollout ends. */
    GSDE
  }

  /** The nonlinearity of feed-forward layers; setting {@code network.activation}. */
  public enum Activation {
    SILU,
    RELU,
    TANH,
    LEAKY_RELU,
    ELU,
    GELU
  }

  /** The recurrent part of the network; setting {@code network.memory}. */
  public enum Memory {
    /** A recurrent trunk of LSTM layers. */
    LSTM,
    /** A feed-forward trunk: each decision depends on its own observation only. */
    NONE
  }

  /** How a continuous action is brought into its bounds; setting {@code network.squash}. */
  public enum Squash {
    /** Chosen from the action space of the environment. */
    AUTO,
    /** Into (-1, 1), then to the bounds. */
    TANH,
    /** Into (0, 1), then to the bounds. */
    SIGMOID,
    /** Unbounded Gaussian. */
    NONE
  }
}
