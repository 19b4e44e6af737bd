package io.quantail.simd;

import java.lang.invoke.VarHandle;
import java.util.List;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector shape of all loops of this package: eight floats.
 *
 * <p>No other size may be used anywhere in the process: once the JIT compiler of Java 17 has
 * compiled two sizes, it can no longer tell them apart, keeps every vector as an object, and all
 * loops take thirty times as long.
 */
final class VectorLanes {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;
  static final int COUNT = 8;

  /**
   * Whether there are no more than sixteen vector registers, and fences among loads cost nothing.
   */
  private static final boolean X86 =
      List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));

  private VectorLanes() {}

  static FloatVector load(float[] array, int index) {
    return FloatVector.fromArray(SPECIES, array, index);
  }

  static FloatVector all(float value) {
    return FloatVector.broadcast(SPECIES, value);
  }

  /** Prevents later loads from being moved above this point where registers are few. */
  static void holdLoads() {
    if (X86) {
      VarHandle.loadLoadFence();
    }
  }
}
