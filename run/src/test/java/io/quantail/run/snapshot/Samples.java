package io.quantail.run.snapshot;

import io.quantail.random.RandomStream;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import java.util.Map;

/** States and descriptions for the tests of snapshots; each update has its own content. */
public final class Samples {
  private Samples() {}

  public static StateMap state(long update) {
    RandomStream random = RandomStream.of(1, "sample", update);
    float[] weights = new float[15];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian();
    }
    weights[3] = Float.intBitsToFloat(0x7FC0BEEF);
    weights[4] = -0.0f;
    StateMap state = new StateMap();
    state.child("counters").putLong("update", update).putBoolean("frozen", update % 2 == 0);
    state
        .child("policy")
        .putFloats("lstm.weight", weights, 3, 5)
        .put("scale", StateArray.ofFloats(new float[] {0.5f}));
    state
        .child("normaliser")
        .putDoubles("mean", new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 1e-310})
        .putDoubles("window", new double[0], 0, 4)
        .put("note", StateArray.ofBytes(new byte[] {103, 114, -61, -74}, 4));
    state.putLongs("random", new long[] {random.key(), random.substream(), random.position()});
    return state;
  }

  static SnapshotInfo info(long update) {
    return info(update, "c0ffee");
  }

  static SnapshotInfo info(long update, String configHash) {
    return new SnapshotInfo(
        update, update * 1024, configHash, "data-7", Map.of("quantail", "2.10.0", "java", "17"));
  }
}
