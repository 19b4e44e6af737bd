package io.quantail.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Finds all test methods that carry requirement IDs, also those that the build excludes by tag.
 *
 * <p>The engines themselves search, without a filter and without running tests, so that tags and
 * IDs are those of a test run.
 */
final class DeclaredTests {
  private DeclaredTests() {}

  /** The test methods below a directory of compiled classes that is on the class path. */
  static List<TestDeclaration> in(Path classes) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(classes)))
            .build();
    return of(request);
  }

  static List<TestDeclaration> of(LauncherDiscoveryRequest request) {
    LauncherConfig config =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .build();
    TestPlan plan = LauncherFactory.create(config).discover(request);
    List<TestDeclaration> declarations = new ArrayList<>();
    for (TestIdentifier root : plan.getRoots()) {
      for (TestIdentifier identifier : plan.getDescendants(root)) {
        add(plan, identifier, declarations);
      }
    }
    return declarations;
  }

  private static void add(
      TestPlan plan, TestIdentifier identifier, List<TestDeclaration> declarations) {
    Set<String> ids = RequirementIds.of(plan, identifier);
    if (!ids.isEmpty()
        && identifier.getSource().filter(MethodSource.class::isInstance).isPresent()) {
      List<String> tags = identifier.getTags().stream().map(TestTag::getName).sorted().toList();
      declarations.add(
          new TestDeclaration(RequirementIds.nameOf(identifier), List.copyOf(ids), tags));
    }
  }
}
