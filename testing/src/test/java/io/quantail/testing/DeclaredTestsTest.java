package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

class DeclaredTestsTest {
  @Test
  void shouldFindIdsAndTagsOfMethodsAndOfClassesAround() {
    List<TestDeclaration> declarations =
        DeclaredTests.of(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(Cases.class))
                .build());

    assertThat(declarations)
        .containsExactlyInAnyOrder(
            declaration("Cases#plain", List.of("X-1"), List.of("outer")),
            declaration("Cases#excluded", List.of("X-1", "X-2"), List.of("learning", "outer")),
            declaration("Cases#factory", List.of("X-1"), List.of("outer")),
            declaration("Cases$Inner#nested", List.of("X-1", "X-3"), List.of("outer")));
  }

  @Test
  void shouldNameTheClassOfAFile() {
    assertThat(declaration("Cases$Inner#nested", List.of("X-1"), List.of()).className())
        .isEqualTo("DeclaredTestsTest");
    assertThat(TestDeclaration.classNameOf("io.quantail.GaeTest#x")).isEqualTo("GaeTest");
    assertThat(TestDeclaration.classNameOf("GaeTest")).isEqualTo("GaeTest");
  }

  private static TestDeclaration declaration(String test, List<String> ids, List<String> tags) {
    return new TestDeclaration(DeclaredTestsTest.class.getName() + "$" + test, ids, tags);
  }

  @Tag("outer")
  @Requirement("X-1")
  static class Cases {
    @Test
    void plain() {}

    @Test
    @Tag("learning")
    @Disabled("declared all the same")
    @Requirement("X-2")
    void excluded() {}

    @TestFactory
    List<DynamicTest> factory() {
      return List.of();
    }

    @Nested
    class Inner {
      @Test
      @Requirement("X-3")
      void nested() {}
    }
  }
}
