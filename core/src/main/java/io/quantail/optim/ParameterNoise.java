package io.quantail.optim;

import io.quantail.network.Parameters;
import io.quantail.random.NormalSampler;
import io.quantail.random.RandomStream;
import java.util.List;

/**
 * Normal noise for a flat parameter vector.
 *
 * <p>The noise of an element depends on (seed, name of its parameter, step, index in the parameter)
 * and on nothing else: neither the order of parameters nor a restart changes it. {@code
 * ParameterNoiseTest} pins it.
 */
final class ParameterNoise {
  private final List<Parameters.Slot> slots;
  private final long[] keys;

  ParameterNoise(long seed, List<Parameters.Slot> slots) {
    this.slots = slots;
    keys =
        slots.stream()
            .mapToLong(slot -> RandomStream.of(seed, "parameter-noise/" + slot.name(), 0).key())
            .toArray();
  }

  List<Parameters.Slot> slots() {
    return slots;
  }

  /**
   * Fills an array with the noise of one step for all parameters.
   *
   * @param deviations standard deviation for each parameter
   */
  float[] draw(long step, double[] deviations, float[] noise) {
    for (int i = 0; i < keys.length; i++) {
      RandomStream stream = RandomStream.restore(keys[i], step, 0);
      Parameters.Slot slot = slots.get(i);
      float deviation = (float) deviations[i];
      NormalSampler.fill(stream, deviation, noise, (int) slot.offset(), (int) slot.count());
    }
    return noise;
  }
}
