package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.Invocation;
import io.quantail.app.Mutant;
import io.quantail.app.MutantLoader;
import io.quantail.app.MutantSubject;
import io.quantail.app.Mutants;
import io.quantail.app.common.ExitCode;
import io.quantail.app.console.AuditText;
import io.quantail.app.report.AuditReport;
import io.quantail.audit.Audit;
import io.quantail.audit.AuditCheck;
import io.quantail.audit.AuditFinding;
import io.quantail.audit.AuditOutcome.Status;
import io.quantail.audit.AuditResult;
import io.quantail.audit.AuditSubject;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement("AUDIT-1")
class AuditCommandTest {
  private static final String CONFIG =
      System.getProperty("quantail.root") + "/configs/classic/cartpole.yaml";

  @TempDir Path directory;

  @Test
  void shouldAuditARunWithItsWeightsAndWriteAPage() throws IOException {
    Path run = directory.resolve("run");
    assertThat(Invocation.trainOnMarket(run).code()).isZero();
    Path page = directory.resolve("audit.html");

    Invocation audit =
        Invocation.of("audit", run.toString(), "--json", "--report", page.toString());

    assertThat(audit.code()).as(audit.out() + audit.err()).isZero();
    JsonNode result = audit.json();
    assertThat(result.get("failed").asInt()).isZero();
    assertThat(result.get("checks").findValuesAsText("check"))
        .contains("gae", "books-from-fills", "signal-is-evaluation");
    assertThat(result.get("checks"))
        .allMatch(check -> check.get("exercises").size() > 0, "names the code that it exercises");
    assertThat(Files.readString(page)).contains("books-from-fills").doesNotContain("<script");
    assertThat(audit.err()).contains("1 of ");
  }

  /** A wrong formula leads to the exit code of a failed audit. */
  @Test
  void shouldEndWithCodeFourWhenAFormulaIsWrong() throws Exception {
    Mutant wrong =
        Mutants.ALL.stream().filter(one -> one.caughtBy().equals("gae")).findFirst().orElseThrow();
    List<String> arguments =
        new ArrayList<>(List.of("audit", CONFIG, "--json", "--set", "ppo.clipRange=0.2"));
    MutantSubject.QUANTILE.settings().forEach(one -> arguments.addAll(List.of("--set", one)));
    try (MutantLoader loader =
        MutantLoader.of(wrong, Path.of(System.getProperty("quantail.root")), directory)) {
      String[] ended = loader.command(arguments.toArray(String[]::new));
      assertThat(ended[0]).as(ended[2]).isEqualTo(String.valueOf(ExitCode.AUDIT));
      JsonNode result = new Invocation(ExitCode.AUDIT, ended[1], ended[2]).json();
      assertThat(result.get("failed").asInt()).isPositive();
      assertThat(result.get("checks"))
          .filteredOn(check -> check.get("verdict").asText().equalsIgnoreCase("fail"))
          .extracting(check -> check.get("check").asText())
          .contains("gae");
    }
  }

  /** The long form: every shipped configuration at its own sizes. */
  @ParameterizedTest
  @MethodSource("io.quantail.app.ShippedConfigsTest#configs")
  @Tag("soak")
  void shouldPassForEveryShippedConfiguration(Path config) {
    Invocation audit = Invocation.of("audit", config.toString(), "--json");
    assumeTrue(audit.code() != ExitCode.DATA, "its bars are not shipped");
    assertThat(audit.code()).as(audit.out() + audit.err()).isEqualTo(ExitCode.OK);
    assertThat(audit.json().get("checks").size()).isGreaterThan(40);
  }

  @Test
  void shouldRefuseInvalidArguments() throws IOException {
    Path taken = Files.writeString(directory.resolve("taken.html"), "");
    assertThat(Invocation.of("audit", CONFIG, "--set", "ppo.clipRange=2").code()).isEqualTo(2);
    assertThat(Invocation.of("audit", CONFIG, "--report", taken.toString()).code()).isEqualTo(2);
    assertThat(Invocation.of("audit", directory.toString()).code()).isEqualTo(2);
    assertThat(Invocation.of("audit", "--set", "market.data.files=[missing.csv]").code())
        .isEqualTo(3);
  }

  @Test
  void shouldListEveryCheckInTheDocumentation() throws IOException {
    Path documentation = Path.of(System.getProperty("quantail.root"), "docs/internals/audit.md");
    RunConfig config = YamlConfig.parse("", "test", MutantSubject.MARKET.settings());
    try (AuditSubject subject =
        new AuditSubject(config, EnvironmentRegistry.of(config), Optional.empty())) {
      assertThat(Files.readAllLines(documentation))
          .containsSubsequence(Audit.checks(subject).stream().map(AuditCommandTest::row).toList());
    }
  }

  private static String row(AuditCheck check) {
    return "| %s | `%s` | %s | `%s` | %s |"
        .formatted(
            check.topic(),
            check.name(),
            check.compares(),
            String.join("`, `", check.exercises()),
            String.join(", ", check.requirements()));
  }

  @Test
  void shouldExplainFailuresFirst() {
    AuditFinding failed =
        new AuditFinding(
            "estimates",
            "gae",
            List.of("GAE-1"),
            "a with b and ".repeat(12),
            List.of("Gae"),
            Status.FAIL,
            "0.5",
            "<= 1e-9",
            "bad");
    AuditFinding passed =
        new AuditFinding(
            "policy",
            "<b>",
            List.of("POL-1"),
            "c with d",
            List.of("PolicyLoss"),
            Status.PASS,
            "0",
            "<= 1e-9",
            "");

    String text = new AuditText("mine", AuditResult.of(List.of(passed, failed))).text();

    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    assertThat(text)
        .startsWith("FAILED  gae (estimates)")
        .contains("means     bad")
        .contains("code      Gae");
    assertThat(text)
        .endsWith("mine: 1 passed, 1 failed, 0 skipped because the settings do not use them\n");
    assertThat(new AuditReport("<i>", AuditResult.of(List.of(passed))).html())
        .contains("&lt;b&gt;", "PolicyLoss")
        .doesNotContain("<i>", "<b>");
  }
}
