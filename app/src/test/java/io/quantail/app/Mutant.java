package io.quantail.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fault seeded into the source of one class.
 *
 * @param name describes the fault
 * @param file path of the source below the repository
 * @param from text that occurs there exactly once
 * @param to replacement of the text
 * @param subject settings that use the faulty code
 * @param caughtBy name of the check that must fail
 * @param loops inner loops that contain the fault
 */
public record Mutant(
    String name,
    String file,
    String from,
    String to,
    MutantSubject subject,
    String caughtBy,
    Loops loops) {

  /** Inner loops exist twice: with vector instructions, and for JVMs without them. */
  enum Loops {
    /** The fault is effective with both. */
    ANY,
    /** The fault is in a loop with vector instructions. */
    VECTOR,
    /** The fault is in a loop without vector instructions. */
    PLAIN
  }

  /** A fault that is effective with vector instructions. */
  static Mutant of(
      String name, MutantSubject subject, String caughtBy, String type, String from, String to) {
    boolean vector = type.startsWith("simd/") || type.startsWith("kernel/Panel");
    return new Mutant(
        name, file(type), from, to, subject, caughtBy, vector ? Loops.VECTOR : Loops.ANY);
  }

  /** A fault that is effective without vector instructions only. */
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

  /** The source with the fault. */
  String source(Path root) throws IOException {
    String original = Files.readString(root.resolve(file));
    int index = original.indexOf(from);
    if (index < 0 || original.indexOf(from, index + 1) >= 0) {
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
