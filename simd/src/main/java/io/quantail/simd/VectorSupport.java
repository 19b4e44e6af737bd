package io.quantail.simd;

import java.util.List;
import jdk.incubator.vector.VectorShape;

/** Tells whether this JVM can run the loops of this package. */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";

  /**
   * JVM options for full speed.
   *
   * <p>The loops must not be inlined into their callers: the compiler has a budget of nodes for a
   * method and everything inlined into it. If the budget ends in the middle of a loop, the rest of
   * its vectors become objects, and the loop takes several times as long. {@link MatrixTiles} has
   * loops that are longer than what the compiler unrolls on its own.
   */
  public static final List<String> JVM_OPTIONS =
      List.of(
          "--add-modules=" + MODULE,
          "-Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0",
          "-XX:LoopUnrollLimit=150",
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=dontinline,io.quantail.simd.MatrixTiles::*",
          "-XX:CompileCommand=dontinline,io.quantail.simd.TanhLoop::*",
          "-XX:CompileCommand=dontinline,io.quantail.simd.LstmGateLoops::*",
          "-XX:CompileCommand=dontinline,io.quantail.simd.QuantileHuberLoop::*");

  private VectorSupport() {}

  /**
   * Whether the JVM was started with {@code --add-modules jdk.incubator.vector} on a processor with
   * vectors of eight floats. No other class of this package may be loaded otherwise.
   */
  public static boolean available() {
    return ModuleLayer.boot().findModule(MODULE).isPresent() && Probe.eightLanes();
  }

  /** A class of its own, because loading it needs the module. */
  private static final class Probe {
    static boolean eightLanes() {
      return VectorShape.preferredShape().vectorBitSize() >= VectorLanes.COUNT * Float.SIZE;
    }
  }
}
