package io.quantail.simd;

import jdk.incubator.vector.VectorShape;

/** Says whether this JVM can run the loops of this package. */
public final class Simd {
  private static final String MODULE = "jdk.incubator.vector";

  private Simd() {}

  /**
   * Whether the JVM was started with {@code --add-modules jdk.incubator.vector} on a processor with
   * vectors of eight floats. Nothing else of this package may be touched otherwise.
   */
  public static boolean available() {
    return ModuleLayer.boot().findModule(MODULE).isPresent() && Probe.eightLanes();
  }

  /** Apart, because loading it needs the module. */
  private static final class Probe {
    static boolean eightLanes() {
      return VectorShape.preferredShape().vectorBitSize() >= Lanes.COUNT * Float.SIZE;
    }
  }
}
