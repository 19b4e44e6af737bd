package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class RequirementListenerTest {
  @TempDir Path target;

  @Test
  void shouldRecordMethodAndClassRequirementsOfPassedAndFailedTests() {
    Collection<TestOutcome> outcomes = outcomesOf(MixedCases.class);

    assertThat(outcomes)
        .containsExactlyInAnyOrder(
            outcome(MixedCases.class, "passes", true, "X-1", "X-2"),
            outcome(MixedCases.class, "fails", false, "X-1", "X-3"),
            outcome(MixedCases.class, "aborts", false, "X-1", "X-4"),
            outcome(MixedCases.class, "disabled", false, "X-1", "X-5"),
            outcome(MixedCases.Inner.class, "nested", true, "X-1", "X-6"));
  }

  @Test
  void shouldCountDynamicTestsThroughTheirFactory() {
    Collection<TestOutcome> outcomes = outcomesOf(DynamicCases.class);

    assertThat(outcomes).hasSize(2).allMatch(o -> o.requirements().equals(List.of("X-7")));
    assertThat(outcomes).extracting(TestOutcome::passed).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void shouldCountTestsOfClassThatCannotStartAsNotPassed() {
    assertThat(outcomesOf(BrokenCases.class))
        .containsExactly(outcome(BrokenCases.class, "neverStarts", false, "X-8"));
  }

  @Test
  void shouldIgnoreTestsWithoutRequirement() {
    assertThat(outcomesOf(PlainCases.class)).isEmpty();
  }

  @Test
  void shouldWriteWhatTheReportReads() throws IOException {
    outcomesOf(BrokenCases.class);

    TestOutcome[] stored =
        new ObjectMapper()
            .readValue(target.resolve(RequirementListener.FILE_NAME).toFile(), TestOutcome[].class);
    assertThat(stored).containsExactly(outcome(BrokenCases.class, "neverStarts", false, "X-8"));
  }

  private Collection<TestOutcome> outcomesOf(Class<?> cases) {
    Map<String, TestOutcome> outcomes = new TreeMap<>();
    LauncherConfig config =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    LauncherFactory.create(config)
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(cases))
                .build(),
            new RequirementListener(outcomes, target));
    return outcomes.values();
  }

  private static TestOutcome outcome(Class<?> type, String method, boolean passed, String... ids) {
    return new TestOutcome(type.getName() + "#" + method, List.of(ids), passed);
  }

  @Requirement("X-1")
  static class MixedCases {
    @Test
    @Requirement("X-2")
    void passes() {}

    @Test
    @Requirement("X-3")
    void fails() {
      throw new AssertionError("meant to fail");
    }

    @Test
    @Requirement("X-4")
    void aborts() {
      Assumptions.abort("meant to abort");
    }

    @Test
    @Disabled("meant to be skipped")
    @Requirement("X-5")
    void disabled() {}

    @Nested
    class Inner {
      @Test
      @Requirement("X-6")
      void nested() {}
    }
  }

  static class DynamicCases {
    @TestFactory
    @Requirement("X-7")
    List<DynamicTest> factory() {
      return List.of(
          dynamicTest("passes", () -> {}),
          dynamicTest(
              "fails",
              () -> {
                throw new AssertionError("meant to fail");
              }));
    }
  }

  static class BrokenCases {
    @BeforeAll
    static void breakDown() {
      throw new IllegalStateException("meant to fail");
    }

    @Test
    @Requirement("X-8")
    void neverStarts() {}
  }

  static class PlainCases {
    @Test
    void passes() {}
  }
}
