package io.quantail.simd;

import java.lang.invoke.VarHandle;
import java.util.List;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vectors that all loops of this package use: eight floats.
 *
 * <p>No other size may be used anywhere in the process: as soon as the JIT compiler of Java 17 has
 * seen two, it no longer knows which one it has, keeps every vector as an object, and all loops
 * take thirty times as long.
 */
final class Lanes {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;
  static final int COUNT = 8;

  /**
   * Whether there are no more than sixteen vector registers, and fences among loads cost nothing.
   */
  private static final boolean X86 =
      List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));

  private Lanes() {}

  static FloatVector load(float[] array, int index) {
    return FloatVector.fromArray(SPECIES, array, index);
  }

  static FloatVector all(float value) {
    return FloatVector.broadcast(SPECIES, value);
  }

  /** Keeps loads that are written below from being done above, where registers are short. */
  static void holdLoads() {
    if (X86) {
      VarHandle.loadLoadFence();
    }
  }
}
