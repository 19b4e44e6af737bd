package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The harness must be able to fail, or its green tests mean nothing. */
class VectorHarnessTest {
  @TempDir Path folder;

  @Test
  void shouldFindCheckByNameThenWithoutNumberThenByLongestBeginning() {
    VectorCheck exact = vector -> {};
    VectorCheck shorter = vector -> {};
    VectorCheck longer = vector -> {};
    VectorRegistry registry =
        new VectorRegistry(
            List.of(() -> Map.of("gae_x_1", exact, "gae_", shorter, "gae_x", longer)));

    assertThat(registry.find("gae_x_1")).containsSame(exact);
    assertThat(registry.find("gae_x_27")).containsSame(longer);
    assertThat(registry.find("gae_x_other")).containsSame(longer);
    assertThat(registry.find("gae_y")).containsSame(shorter);
    assertThat(registry.find("adv_norm")).isEmpty();
  }

  @Test
  void shouldRefuseTwoChecksOfOneName() {
    VectorFamily family = () -> Map.of("gae_", vector -> {});

    assertThatThrownBy(() -> new VectorRegistry(List.of(family, family)))
        .hasMessageContaining("gae_");
  }

  @Test
  void shouldFailOnVectorThatNobodyKnows() {
    VectorRegistry empty = new VectorRegistry(List.of());

    assertThatThrownBy(() -> VectorTests.check(empty, json("{'name':'unheard_of'}")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("unheard_of");
  }

  @Test
  void shouldSkipVectorsAboutTheAuditedProgram() {
    VectorRegistry registry = new VectorRegistry(List.of(new SkippedVectors()));

    assertThatThrownBy(
            () -> VectorTests.check(registry, json("{'name':'upgd_three_steps_original_rule'}")))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("not for us");
  }

  @Test
  void shouldCompareWithinTheUsualTolerance() {
    VectorCase vector = vectorCase("{'name':'n','expected':{'x':1000.0}}");

    assertThatCode(() -> vector.expect("x", 1000.0009)).doesNotThrowAnyException();
    assertThatThrownBy(() -> vector.expect("x", 1000.0011)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> vector.expect("x", Double.NaN)).isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldAllowRoundingsOfTheGivenMagnitudeWhereAskedTo() {
    VectorCase vector = vectorCase("{'name':'n','tolerance':1e-6,'expected':{'x':0.001}}");

    assertThatThrownBy(() -> vector.expect("x", 0.001 + 1e-7)).isInstanceOf(AssertionError.class);
    vector.allowSinglePrecision(1);
    assertThatCode(() -> vector.expect("x", 0.001 + 2e-7)).doesNotThrowAnyException();
    assertThatThrownBy(() -> vector.expect("x", 0.001 + 3e-7)).isInstanceOf(AssertionError.class);
    vector.allowSinglePrecision(-10);
    assertThatCode(() -> vector.expect("x", 0.001 + 2e-6)).doesNotThrowAnyException();
  }

  @Test
  void shouldUseSmallerOwnToleranceButPeersAsTheyStand() {
    String text = "{'name':'%s','tolerance':%s,'expected':{'x':1.0}}";
    VectorCase tight = vectorCase(String.format(text, "n", "1e-12"));
    VectorCase loose = vectorCase(String.format(text, "n", "0.1"));
    VectorCase peer = vectorCase(String.format(text, "sb3_gae_0", "0.1"));

    assertThatThrownBy(() -> tight.expect("x", 1 + 1e-11)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> loose.expect("x", 1.05)).isInstanceOf(AssertionError.class);
    assertThatCode(() -> peer.expect("x", 1.05)).doesNotThrowAnyException();
  }

  @Test
  void shouldCompareWholeNumbersExactly() {
    VectorCase vector = vectorCase("{'name':'n','expected':{'x':2000000000}}");

    assertThatCode(() -> vector.expect("x", 2000000000)).doesNotThrowAnyException();
    assertThatThrownBy(() -> vector.expect("x", 1999999999)).isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldTellShapesApart() {
    VectorCase vector = vectorCase("{'name':'n','expected':{'x':[[1,2]]}}");

    assertThatCode(() -> vector.expect("x", new double[][] {{1, 2}})).doesNotThrowAnyException();
    assertThatThrownBy(() -> vector.expect("x", new double[] {1, 2}))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> vector.expectFlat("x", new double[] {1, 2, 3}))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldUnderstandNotANumberInfinityAndUndefined() {
    VectorCase vector =
        vectorCase(
            "{'name':'n','inputs':{'v':['NaN','Infinity','-Infinity',true]},"
                + "'expected':{'undefined':null,'x':'Infinity'}}");

    assertThat(vector.doubles("v"))
        .containsExactly(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1);
    vector.expect("undefined", OptionalDouble.empty());
    vector.expect("x", Double.POSITIVE_INFINITY);
    assertThatThrownBy(() -> vector.expect("undefined", 0.0)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> vector.expect("x", 1e300)).isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldFailWhenKnownMistakeWasMade() {
    VectorCase vector =
        vectorCase("{'name':'n','expected':{'x':[1]},'must_not_equal':{'leaky':[2]}}");

    assertThatCode(() -> vector.expectNot("leaky", "x", 1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> vector.expectNot("leaky", "x", 2)).isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldFailWhenExpectedFieldIsNotCompared() {
    VectorCase vector = vectorCase("{'name':'n','expected':{'x':1,'y':2,'y_original':3}}");
    vector.expect("x", 1.0);

    assertThatThrownBy(vector::requireComplete).hasMessageContaining("[\"y\"]");
    vector.ignore("y", "for the test");
    assertThatCode(vector::requireComplete).doesNotThrowAnyException();
  }

  @Test
  void shouldFailWhenNothingIsCompared() {
    VectorCase vector = vectorCase("{'name':'n','expected':{'y_original':3}}");

    assertThatThrownBy(vector::requireComplete).isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldFailOnMissingFolder() {
    assertFails(folder.resolve("nowhere"), "is not a folder");
  }

  @Test
  void shouldFailOnFolderWithoutVectors() {
    assertFails(folder, "holds no *.json file");
  }

  @Test
  void shouldFailOnFileOfAnotherForm() throws IOException {
    Files.writeString(folder.resolve("a.json"), "{\"cases\": []}");

    assertFails(folder, "has no list 'vectors'");
  }

  @Test
  void shouldFailOnVectorWithoutExpectation() throws IOException {
    Files.writeString(
        folder.resolve("a.json"), "{\"vectors\": [{\"name\": \"gae_1\", \"inputs\": {}}]}");

    assertFails(folder, "gae_1");
  }

  @Test
  void shouldNameTestAfterFileAndVector() throws IOException {
    Files.writeString(
        folder.resolve("a.json"),
        "{\"vectors\": [{\"name\": \"gae_1\", \"inputs\": {}, \"expected\": {}}]}");

    assertThat(VectorTests.in(folder, new VectorRegistry(List.of()), name -> true))
        .extracting(DynamicTest::getDisplayName)
        .containsExactly("a.json:gae_1");
  }

  private static void assertFails(Path folder, String message) {
    List<DynamicTest> tests = VectorTests.in(folder, new VectorRegistry(List.of()), name -> true);
    assertThat(tests).hasSize(1);
    assertThatThrownBy(() -> tests.get(0).getExecutable().execute())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message);
  }

  private static VectorCase vectorCase(String text) {
    return new VectorCase(json(text));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
