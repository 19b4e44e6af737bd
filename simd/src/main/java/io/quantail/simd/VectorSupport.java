package io.quantail.simd;

import java.util.List;
import java.util.stream.Stream;
import jdk.incubator.vector.VectorShape;

/** Tells whether this JVM can run the loops of this package. */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";
  private static final String INTERNAL = "jdk.internal.module";

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

  /**
   * The JVM options of the command, for the same speed without a warning: the JVM warns about the
   * module at every start if it is named by {@code --add-modules}. With these options {@link
   * #available} loads it, the way the JVM itself loads modules after its start, and the JVM uses
   * the compiler's vector instructions as it does with {@code --add-modules}. A JVM that has no
   * such option ignores it.
   */
  public static final List<String> COMMAND_OPTIONS =
      Stream.concat(
              Stream.of(
                  "--add-exports=java.base/" + INTERNAL + "=ALL-UNNAMED",
                  "-XX:+IgnoreUnrecognizedVMOptions",
                  "-XX:+UnlockExperimentalVMOptions",
                  "-XX:+EnableVectorSupport"),
              JVM_OPTIONS.stream().filter(option -> !option.startsWith("--add-modules")))
          .toList();

  private VectorSupport() {}

  /**
   * Whether the JVM was started with {@link #JVM_OPTIONS} or {@link #COMMAND_OPTIONS} on a
   * processor with vectors of eight floats. No other class of this package may be loaded before, or
   * otherwise.
   */
  public static boolean available() {
    return hasModule() && Probe.eightLanes();
  }

  private static boolean hasModule() {
    return ModuleLayer.boot().findModule(MODULE).isPresent() || loadModule();
  }

  /** Loads the module; false if the options of the JVM do not allow it. */
  private static boolean loadModule() {
    try {
      Class<?> modules = Class.forName(INTERNAL + ".Modules");
      if (!Object.class.getModule().isExported(INTERNAL, VectorSupport.class.getModule())) {
        return false;
      }
      modules.getMethod("loadModule", String.class).invoke(null, MODULE);
      return true;
    } catch (ReflectiveOperationException | LinkageError absent) {
      return false;
    }
  }

  /** A class of its own, because loading it needs the module. */
  private static final class Probe {
    static boolean eightLanes() {
      return VectorShape.preferredShape().vectorBitSize() >= VectorLanes.COUNT * Float.SIZE;
    }
  }
}
