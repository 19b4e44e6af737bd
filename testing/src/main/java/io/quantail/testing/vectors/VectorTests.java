package io.quantail.testing.vectors;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * One test per vector: of the files of this repository, and of the folder that the system property
 * {@value #FOLDER_PROPERTY} names. Vectors of the area {@value #EVIDENCE} have a folder and tests
 * of their own.
 */
public final class VectorTests {
  static final String FOLDER_PROPERTY = "quantail.vectors";
  private static final String OWN = "core/src/test/resources/vectors";
  private static final String EVIDENCE = "evidence";
  private static final String OWN_EVIDENCE = "market/src/test/resources/vectors";

  private VectorTests() {}

  /**
   * The tests of the vectors that a module checks.
   *
   * @param names accepts the names of these vectors
   */
  public static Stream<DynamicTest> of(VectorRegistry registry, Predicate<String> names) {
    return in(OWN, registry, vector -> !isEvidence(vector) && names.test(name(vector)));
  }

  /** The tests of the vectors of evidence. */
  public static Stream<DynamicTest> ofEvidence(VectorRegistry registry) {
    return in(OWN_EVIDENCE, registry, VectorTests::isEvidence);
  }

  private static boolean isEvidence(JsonNode vector) {
    return vector.path("area").asText().equals(EVIDENCE);
  }

  private static String name(JsonNode vector) {
    return vector.path("name").asText();
  }

  private static Stream<DynamicTest> in(
      String own, VectorRegistry registry, Predicate<JsonNode> accepted) {
    Path root = Path.of(System.getProperty("quantail.root", ""));
    List<DynamicTest> tests = new ArrayList<>(in(root.resolve(own), registry, accepted));
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null && !folder.isBlank()) {
      tests.addAll(in(root.resolve(folder), registry, accepted));
    }
    return tests.stream();
  }

  /** A folder or file that cannot be read becomes a failing test beside those that can. */
  static List<DynamicTest> in(Path folder, VectorRegistry registry, Predicate<JsonNode> accepted) {
    List<DynamicTest> tests = new ArrayList<>();
    try {
      for (Path file : VectorFiles.in(folder)) {
        tests.addAll(ofFile(file, registry, accepted));
      }
    } catch (IOException | RuntimeException e) {
      tests.add(failing(folder.toString(), e));
    }
    return tests;
  }

  private static List<DynamicTest> ofFile(
      Path file, VectorRegistry registry, Predicate<JsonNode> accepted) {
    List<DynamicTest> tests = new ArrayList<>();
    try {
      for (JsonNode vector : VectorFiles.read(file)) {
        if (accepted.test(vector)) {
          tests.add(
              dynamicTest(file.getFileName() + ":" + name(vector), () -> check(registry, vector)));
        }
      }
    } catch (IOException | RuntimeException e) {
      tests.add(failing(file.toString(), e));
    }
    return tests;
  }

  static void check(VectorRegistry registry, JsonNode vector) {
    String name = name(vector);
    if (VectorCase.isAboutOriginal(name)) {
      Assumptions.abort(
          "not for us: describes the program from whose audits the requirements come");
    }
    VectorCheck check =
        registry
            .find(name)
            .orElseThrow(
                () ->
                    new AssertionError(
                        "no check is registered for the vector "
                            + name
                            + "; add one to a VectorFamily, or a reason to SkippedVectors"));
    VectorCase vectorCase = new VectorCase(vector);
    check.check(vectorCase);
    vectorCase.requireComplete();
  }

  private static DynamicTest failing(String name, Exception cause) {
    return dynamicTest(
        name,
        () -> {
          throw new AssertionError(cause.getMessage(), cause);
        });
  }
}
