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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequirementReportTest {
  private static final Set<String> IDS = new LinkedHashSet<>(List.of("GAE-1", "ADV-1", "EV-1"));

  private static final String POM =
      """
      <project>
        <modules><module>core</module><module>app</module></modules>
        <properties><excludedGroups>learning,soak</excludedGroups></properties>
        <profiles>
          <profile><id>cluster</id><modules><module>cluster</module></modules></profile>
        </profiles>
      </project>
      """;

  private final Map<String, List<TestDeclaration>> declared = new HashMap<>();

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
  void shouldJoinModulesPrintSummaryAndWriteJson() throws IOException {
    writeDocument("| A-1 | x | `OneTest` |\n| A-2 | y | `TwoTest` |\n| A-3 | z | `TwoTest` |\n");
    writeModule("core", passed("a.OneTest#t", "A-1"));
    writeModule("app", passed("a.TwoTest#u", "A-3"));
    declare("app", new TestDeclaration("a.TwoTest#v", List.of("A-2"), List.of()));

    assertThat(outputOfMain()).isEqualTo("requirements: 2 of 3 proven" + System.lineSeparator());

    JsonNode json = new ObjectMapper().readTree(root.resolve("target/requirements.json").toFile());
    assertThat(json.get("proven").intValue()).isEqualTo(2);
    assertThat(json.get("total").intValue()).isEqualTo(3);
    assertThat(json.get("missing").toString()).isEqualTo("[\"A-2\"]");
    assertThat(json.get("provenIds").toString()).isEqualTo("[\"A-1\",\"A-3\"]");
  }

  @Test
  void shouldFailWithAllProblemsWhenRowsAndTestsDoNotFit() throws IOException {
    writeDocument("| A-1 | x | `OldTest` |\n| A-2 | y |\n| A-3 | z | `LongTest` |\n");
    writeModule("core", passed("a.NewTest#t", "A-1"));
    declare("core", new TestDeclaration("a.LongTest#u", List.of("A-3"), List.of("soak")));

    assertThatThrownBy(this::outputOfMain)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("A-1 names OldTest")
        .hasMessageContaining("[NewTest]")
        .hasMessageContaining("A-2 names no test")
        .hasMessageContaining("A-3 names [LongTest], but all their methods");
  }

  @Test
  void shouldLeaveModuleOfAProfileToBuildsWithIt() throws IOException {
    writeDocument("| A-1 | x | `SparkTest` (with `-Pcluster`) |\n");
    writeModule("cluster", passed("a.SparkTest#t", "A-1"));
    Path sources = Files.createDirectories(root.resolve("cluster/src/test/java/a"));
    Files.writeString(sources.resolve("SparkTest.java"), "");

    assertThat(outputOfMain()).startsWith("requirements: 0 of 1 proven");
    assertThat(outputOfMain("cluster")).startsWith("requirements: 1 of 1 proven");

    writeModule("cluster", failed("a.SparkTest#t", "A-1"));
    assertThat(outputOfMain()).startsWith("requirements: 0 of 1 proven");
    assertThatThrownBy(() -> outputOfMain("cluster")).hasMessageContaining("passed in this build");
  }

  @Test
  void shouldSayWhichRowsItCannotCheckWhenTestsDidNotRun() throws IOException {
    writeDocument("| A-1 | x | `OneTest` |\n");
    Path sources = Files.createDirectories(root.resolve("core/src/test/java/a"));
    Files.writeString(sources.resolve("OneTest.java"), "");

    assertThat(outputOfMain()).contains("0 of 1 proven").contains("did not run: [A-1]");
  }

  @Test
  void shouldFailOnWrongNumberOfArguments() {
    assertThatThrownBy(() -> RequirementReport.main(new String[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String outputOfMain(String... profiles) throws IOException {
    Files.writeString(root.resolve("pom.xml"), POM);
    PrintStream original = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      RequirementReport.main(
          Stream.concat(Stream.of(root.toString()), Stream.of(profiles)).toArray(String[]::new));
    } finally {
      System.setOut(original);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }

  private void writeDocument(String text) throws IOException {
    Files.createDirectories(root.resolve("docs/internals"));
    Files.writeString(root.resolve("docs/internals/requirements.md"), text);
  }

  /** Leaves behind what a module with this one test does. */
  private void writeModule(String module, TestOutcome outcome) throws IOException {
    write(module, RequirementListener.FILE_NAME, List.of(outcome));
    declare(module, new TestDeclaration(outcome.test(), outcome.requirements(), List.of()));
  }

  private void declare(String module, TestDeclaration more) throws IOException {
    List<TestDeclaration> declarations = declared.computeIfAbsent(module, m -> new ArrayList<>());
    declarations.add(more);
    write(module, RequirementListener.DECLARED_FILE_NAME, declarations);
  }

  private void write(String module, String file, List<?> records) throws IOException {
    Path target = Files.createDirectories(root.resolve(module).resolve("target"));
    new ObjectMapper().writeValue(target.resolve(file).toFile(), records);
  }

  private static TestOutcome passed(String test, String... ids) {
    return new TestOutcome(test, List.of(ids), true);
  }

  private static TestOutcome failed(String test, String... ids) {
    return new TestOutcome(test, List.of(ids), false);
  }
}
