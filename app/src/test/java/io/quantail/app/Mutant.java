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
 */
record Mutant(
    String name, String file, String from, String to, MutantSubject subject, String caughtBy) {

  static Mutant of(
      String name, MutantSubject subject, String caughtBy, String type, String from, String to) {
    boolean market = type.startsWith("market/");
    String file = (market ? "market" : "core") + "/src/main/java/io/quantail/" + type + ".java";
    return new Mutant(name, file, from, to, subject, caughtBy);
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
