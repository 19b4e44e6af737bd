package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequirementReportTest {
  private static final Set<String> IDS = new LinkedHashSet<>(List.of("GAE-1", "ADV-1", "EV-1"));

  @TempDir Path root;

  @Test
  void shouldCountRowAsProvenWhenEveryTestThatCarriesItPassed() {
    RequirementReport report =
        RequirementReport.of(
            IDS, List.of(passed("a", "GAE-1"), passed("b", "GAE-1", "EV-1"), failed("c", "EV-1")));

    assertThat(report.provenIds()).containsExactly("GAE-1");
    assertThat(report.missing()).containsExactly("ADV-1", "EV-1");
    assertThat(report.summary()).isEqualTo("requirements: 1 of 3 proven");
  }

  @Test
  void shouldNotLetLaterPassHideFailure() {
    RequirementReport report =
        RequirementReport.of(IDS, List.of(failed("a", "EV-1"), passed("b", "EV-1")));

    assertThat(report.provenIds()).isEmpty();
  }

  @Test
  void shouldRefuseIdThatTheDocumentDoesNotHave() {
    assertThatThrownBy(() -> RequirementReport.of(IDS, List.of(passed("SomeTest#case", "GAE-9"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SomeTest#case")
        .hasMessageContaining("GAE-9");
  }

  @Test
  void shouldReadRowsOfAllTablesInOrder() throws IOException {
    writeDocument("# Title\n| ID | requirement |\n|---|---|\n| B-2 | x |\ntext A-1\n| A-1 | y |\n");

    assertThat(RequirementReport.idsIn(root)).containsExactly("B-2", "A-1");
  }

  @Test
  void shouldRefuseDocumentWithRepeatedId() throws IOException {
    writeDocument("| A-1 | x |\n| A-1 | y |\n");

    assertThatThrownBy(() -> RequirementReport.idsIn(root)).hasMessageContaining("A-1");
  }

  @Test
  void shouldJoinModulesPrintSummaryAndWriteJson() throws IOException {
    writeDocument("| A-1 | x |\n| A-2 | y |\n| A-3 | z |\n");
    writeModule("core", "[{\"test\":\"t\",\"requirements\":[\"A-1\"],\"passed\":true}]");
    writeModule("app", "[{\"test\":\"u\",\"requirements\":[\"A-3\"],\"passed\":true}]");

    assertThat(outputOfMain()).isEqualTo("requirements: 2 of 3 proven" + System.lineSeparator());

    JsonNode json = new ObjectMapper().readTree(root.resolve("target/requirements.json").toFile());
    assertThat(json.get("proven").intValue()).isEqualTo(2);
    assertThat(json.get("total").intValue()).isEqualTo(3);
    assertThat(json.get("missing").toString()).isEqualTo("[\"A-2\"]");
    assertThat(json.get("provenIds").toString()).isEqualTo("[\"A-1\",\"A-3\"]");
  }

  @Test
  void shouldFailOnWrongNumberOfArguments() {
    assertThatThrownBy(() -> RequirementReport.main(new String[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String outputOfMain() throws IOException {
    PrintStream original = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      RequirementReport.main(new String[] {root.toString()});
    } finally {
      System.setOut(original);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }

  private void writeDocument(String text) throws IOException {
    Files.createDirectories(root.resolve("docs"));
    Files.writeString(root.resolve("docs/requirements.md"), text);
  }

  private void writeModule(String name, String json) throws IOException {
    Path target = Files.createDirectories(root.resolve(name).resolve("target"));
    Files.writeString(root.resolve(name).resolve("pom.xml"), "<project/>");
    Files.writeString(target.resolve(RequirementListener.FILE_NAME), json);
  }

  private static TestOutcome passed(String test, String... ids) {
    return new TestOutcome(test, List.of(ids), true);
  }

  private static TestOutcome failed(String test, String... ids) {
    return new TestOutcome(test, List.of(ids), false);
  }
}
