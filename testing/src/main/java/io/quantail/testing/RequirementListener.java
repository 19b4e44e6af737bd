package io.quantail.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Records for every test that carries {@link Requirement} whether it passed, and writes the record
 * to {@code requirements-tests.json} in the module's target directory. All tests of the module that
 * carry it, also those that were not selected, are listed in {@code requirements-declared.json}.
 *
 * <p>The directory is the system property {@value #TARGET_PROPERTY}; without it nothing is written,
 * so tests started from an editor leave no files. A test that was skipped or aborted did not pass:
 * it proves nothing. When a class fails before its tests start, the tests it would have run count
 * as not passed. {@link RequirementReport} reads the files; {@code RequirementListenerTest} pins
 * the rules.
 */
public final class RequirementListener implements TestExecutionListener {
  static final String TARGET_PROPERTY = "quantail.module.target";
  static final String FILE_NAME = "requirements-tests.json";
  static final String DECLARED_FILE_NAME = "requirements-declared.json";

  /** One test process may execute several test plans; the file has to hold all of them. */
  private static final Map<String, TestOutcome> PROCESS_OUTCOMES = new ConcurrentSkipListMap<>();

  private final Map<String, TestOutcome> outcomes;
  private final @Nullable Path directory;
  private TestPlan plan;

  /** Created by the JUnit Platform, which finds this class as a service. */
  public RequirementListener() {
    this(PROCESS_OUTCOMES, directoryFromProperty());
  }

  RequirementListener(Map<String, TestOutcome> outcomes, @Nullable Path directory) {
    this.outcomes = outcomes;
    this.directory = directory;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    recordAllBelow(identifier);
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    boolean passed = result.getStatus() == Status.SUCCESSFUL;
    if (identifier.isTest()) {
      record(identifier, passed);
    } else if (!passed) {
      recordAllBelow(identifier);
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan testPlan) {
    if (directory == null) {
      return;
    }
    write(directory, FILE_NAME, new ArrayList<>(outcomes.values()));
    Path classes = directory.resolve("test-classes");
    if (Files.isDirectory(classes)) {
      write(directory, DECLARED_FILE_NAME, DeclaredTests.in(classes));
    }
  }

  private static void write(Path directory, String name, List<?> records) {
    Path file = directory.resolve(name);
    try {
      Files.createDirectories(directory);
      new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), records);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** The container itself is recorded too: a broken test factory has no tests below it yet. */
  private void recordAllBelow(TestIdentifier identifier) {
    record(identifier, false);
    for (TestIdentifier descendant : plan.getDescendants(identifier)) {
      if (descendant.isTest()) {
        record(descendant, false);
      }
    }
  }

  private void record(TestIdentifier identifier, boolean passed) {
    Set<String> ids = RequirementIds.of(plan, identifier);
    if (!ids.isEmpty()) {
      TestOutcome outcome =
          new TestOutcome(RequirementIds.nameOf(identifier), List.copyOf(ids), passed);
      outcomes.put(identifier.getUniqueId(), outcome);
    }
  }

  private static @Nullable Path directoryFromProperty() {
    @Nullable String directory = System.getProperty(TARGET_PROPERTY);
    return directory == null ? null : Path.of(directory);
  }
}
