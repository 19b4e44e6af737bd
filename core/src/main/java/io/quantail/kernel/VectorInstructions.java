package io.quantail.kernel;

import io.quantail.simd.VectorSupport;
import java.util.List;

/** Whether this JVM runs the inner loops in vector instructions, and what they need for it. */
public final class VectorInstructions {
  private static final String DONT_INLINE = "-XX:CompileCommand=dontinline,";

  private VectorInstructions() {}

  /** Whether the inner loops run in vector instructions; results are the same without them. */
  public static boolean inUse() {
    return PackedMatrix.VECTORS;
  }

  /** Whether the JVM was started with options that keep the inner loops fast. */
  public static boolean hasOptions(List<String> arguments) {
    return arguments.stream()
        .anyMatch(argument -> argument.startsWith(DONT_INLINE + "io.quantail"));
  }

  /** The same options as directives for the compiler of a JVM that runs already. */
  public static String compilerDirectives() {
    List<String> loops =
        VectorSupport.JVM_OPTIONS.stream()
            .filter(option -> option.startsWith(DONT_INLINE))
            .map(option -> option.substring(DONT_INLINE.length()))
            .map(method -> "\"-" + method.replace('.', '/').replace("::", ".") + "\"")
            .toList();
    return "[{match: [\"io/quantail/*.*\"], inline: [%s]}]".formatted(String.join(", ", loops));
  }
}
