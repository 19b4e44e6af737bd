package io.quantail.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fault that is seeded into the source of one class.
 *
 * @param name what is wrong
 * @param file path of the source below the repository
 * @param from text that stands there exactly once
 * @param to what stands there instead
 * @param subject which settings show it
 * @param caughtBy a check that must fail
 * @param loops which inner loops have to run for it to show
 */
record Mutant(
    String name,
    String file,
    String from,
    String to,
    MutantSubject subject,
    String caughtBy,
    Loops loops) {

  /** Inner loops exist twice: in vector instructions, and for JVMs that do not offer them. */
  enum Loops {
    /** The fault shows with both. */
    ANY,
    /** It is in a loop in vector instructions. */
    VECTOR,
    /** It is in a loop that runs without them. */
    PLAIN
  }

  /** A fault that shows when vector instructions are used. */
  static Mutant of(
      String name, MutantSubject subject, String caughtBy, String type, String from, String to) {
    boolean vector = type.startsWith("simd/") || type.startsWith("kernel/Panel");
    return new Mutant(
        name, file(type), from, to, subject, caughtBy, vector ? Loops.VECTOR : Loops.ANY);
  }

  /** A fault that shows when vector instructions are not used. */
  static Mutant plain(
      String name, MutantSubject subject, String caughtBy, String type, String from, String to) {
    return new Mutant(name, file(type), from, to, subject, caughtBy, Loops.PLAIN);
  }

  private static String file(String type) {
    String first = type.substring(0, type.indexOf('/'));
    boolean own = first.equals("simd") || first.equals("market");
    return (own ? first : "core") + "/src/main/java/io/quantail/" + type + ".java";
  }

  /** Package and simple name of the class, such as {@code critic/Cvar}. */
  String type() {
    return file.substring(file.indexOf("io/quantail/") + "io/quantail/".length())
        .replace(".java", "");
  }

  String simpleName() {
    return type().substring(type().lastIndexOf('/') + 1);
  }

  /** The source with the fault in it. */
  String source(Path root) throws IOException {
    String original = Files.readString(root.resolve(file));
    int place = original.indexOf(from);
    if (place < 0 || original.indexOf(from, place + 1) >= 0) {
      throw new AssertionError(
          "the mutant '%s' has to be updated: %s must contain exactly once: %s"
              .formatted(name, file, from));
    }
    return original.replace(from, to);
  }

  @Override
  public String toString() {
    return name;
  }
}
