package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProofCheckTest {
  private static final Set<String> EXCLUDED = Set.of("learning", "browser");

  @Test
  void shouldAcceptRowsWhoseTestsCarryTheirIds() {
    TestResults results =
        declared(
            declaration("io.quantail.rollout.GaeTest#shouldCut", "GAE-1"),
            declaration("io.quantail.rollout.RolloutCollectorTest$Inner#shouldReplay", "GAE-1"));

    assertThat(problems(results, row("GAE-1", "GaeTest", "RolloutCollectorTest"))).isEmpty();
  }

  @Test
  void shouldRefuseRowWithoutTestAndNameTheCandidates() {
    TestResults results = declared(declaration("a.GaeTest#x", "GAE-1"));

    assertThat(problems(results, row("GAE-1"), row("GAE-2")))
        .containsExactly(
            "GAE-1 names no test; write the class that proves it into the last column;"
                + " tests with this ID: [GaeTest]",
            "GAE-2 names no test; write the class that proves it into the last column;"
                + " no test carries this ID");
  }

  @Test
  void shouldRefuseClassThatDoesNotExist() {
    TestResults results = declared(declaration("a.PpoLossTest#x", "BATCH-1"));

    assertThat(problems(results, row("BATCH-1", "PpoLossTest", "FusedLossTest")))
        .containsExactly(
            "BATCH-1 names FusedLossTest, but there is no such test class, or it carries no requirement;"
                + " tests with this ID: [PpoLossTest]");
  }

  @Test
  void shouldRefuseClassThatCarriesOtherIdsOnly() {
    TestResults results =
        declared(declaration("a.GaeTest#x", "GAE-1"), declaration("a.OtherTest#x", "GAE-2"));

    assertThat(problems(results, row("GAE-2", "GaeTest")))
        .containsExactly(
            "GAE-2 names GaeTest, which does not carry @Requirement(\"GAE-2\");"
                + " tests with this ID: [OtherTest]");
  }

  @Test
  void shouldRefuseRowThatOnlyExcludedTestsProve() {
    TestResults results =
        declared(
            tagged("a.LongTest#x", "learning", "LEARN-1"),
            tagged("a.PageTest#x", "browser", "LEARN-1"),
            declaration("a.LongTest#y", "LEARN-2"),
            declaration("a.UnnamedTest#x", "LEARN-1"));

    assertThat(problems(results, row("LEARN-1", "LongTest", "PageTest")))
        .singleElement()
        .asString()
        .startsWith("LEARN-1 names [LongTest, PageTest], but all their methods with this ID")
        .contains("[browser, learning]");
  }

  @Test
  void shouldAcceptExcludedTestBesideShortOneWithAnotherTag() {
    TestResults results =
        declared(
            tagged("a.LongTest#x", "learning", "LEARN-1"),
            tagged("a.ShortTest#x", "slowish", "LEARN-1"));

    assertThat(problems(results, row("LEARN-1", "LongTest", "ShortTest"))).isEmpty();
  }

  @Test
  void shouldLeaveRowsOfAProfileToItsBuildsButNotMisspeltOnes() {
    TestResults results =
        new TestResults(List.of(), List.of(), Map.of("SparkTest", Optional.of("cluster")));

    assertThat(problems(results, withProfile("CLU-1", "SparkTest"))).isEmpty();
    assertThat(problems(results, withProfile("CLU-1", "SparksTest")))
        .singleElement()
        .asString()
        .startsWith("CLU-1 names SparksTest, but there is no such test class");
  }

  @Test
  void shouldDemandThatARowNamesTheProfileThatProvesIt() {
    TestResults results =
        new TestResults(List.of(), List.of(), Map.of("SparkTest", Optional.of("cluster")));

    assertThat(problems(results, row("CLU-1", "SparkTest")))
        .containsExactly(
            "CLU-1 names SparkTest, which only -Pcluster builds;"
                + " write (with `-Pcluster`) into the last column");
  }

  @Test
  void shouldDemandThatTestsOfAnActiveProfilePassed() {
    List<TestDeclaration> declarations = List.of(declaration("a.SparkTest#x", "CLU-1"));
    TestOutcome passed = new TestOutcome("a.SparkTest#x", List.of("CLU-1"), true);
    TestOutcome skipped = new TestOutcome("a.SparkTest#x", List.of("CLU-1"), false);
    TestOutcome unnamed = new TestOutcome("a.OtherTest#x", List.of("CLU-1"), true);

    assertThat(problemsWithCluster(new TestResults(declarations, List.of(passed), Map.of())))
        .isEmpty();
    assertThat(
            problemsWithCluster(new TestResults(declarations, List.of(skipped, unnamed), Map.of())))
        .containsExactly(
            "CLU-1 is proven with -Pcluster, but none of [SparkTest] passed in this build");
    assertThat(
            problemsWithCluster(
                new TestResults(List.of(), List.of(), Map.of("SparkTest", Optional.empty()))))
        .hasSize(1);
  }

  @Test
  void shouldNotJudgeRowsOfModulesWhoseTestsDidNotRunButSaySo() {
    TestResults results =
        new TestResults(List.of(), List.of(), Map.of("GaeTest", Optional.empty()));
    List<RequirementRow> rows = List.of(row("GAE-1", "GaeTest"), row("GAE-2", "NoTest"));
    ProofCheck check = new ProofCheck(results, EXCLUDED, Set.of());

    assertThat(check.unjudged(rows)).containsExactly("GAE-1");
    assertThat(check.problems(rows)).singleElement().asString().startsWith("GAE-2 names NoTest");
  }

  private static List<String> problems(TestResults results, RequirementRow... rows) {
    return new ProofCheck(results, EXCLUDED, Set.of()).problems(List.of(rows));
  }

  private static List<String> problemsWithCluster(TestResults results) {
    return new ProofCheck(results, EXCLUDED, Set.of("cluster"))
        .problems(List.of(withProfile("CLU-1", "SparkTest")));
  }

  private static TestResults declared(TestDeclaration... declarations) {
    return new TestResults(List.of(declarations), List.of(), Map.of());
  }

  private static TestDeclaration declaration(String test, String id) {
    return new TestDeclaration(test, List.of(id), List.of());
  }

  private static TestDeclaration tagged(String test, String tag, String id) {
    return new TestDeclaration(test, List.of(id), List.of(tag));
  }

  private static RequirementRow row(String id, String... tests) {
    return new RequirementRow(id, List.of(tests), Optional.empty());
  }

  private static RequirementRow withProfile(String id, String... tests) {
    return new RequirementRow(id, List.of(tests), Optional.of("cluster"));
  }
}
