package io.quantail.ppo;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Map;
import java.util.OptionalDouble;

/** When critics may be clipped. */
public final class ValueClipGateVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("vf_clip_gate", this::check);
  }

  private void check(VectorCase vector) {
    JsonNode cases = vector.input("cases");
    boolean[] open = new boolean[cases.size()];
    for (int i = 0; i < open.length; i++) {
      JsonNode one = cases.get(i);
      JsonNode explained = one.path("last_ev");
      open[i] =
          new ValueClipGate(
                  one.get("warmup").intValue(),
                  one.path("threshold").isNull() ? null : one.get("threshold").doubleValue())
              .open(
                  one.get("update").intValue(),
                  explained.isNull()
                      ? OptionalDouble.empty()
                      : OptionalDouble.of(explained.doubleValue()));
    }
    vector.expect("active", open);
  }
}
