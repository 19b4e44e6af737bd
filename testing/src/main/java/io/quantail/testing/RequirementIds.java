package io.quantail.testing;

import java.lang.reflect.AnnotatedElement;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Finds the requirement IDs of a test: those of its method and of every class around it.
 *
 * <p>Sources, not engine types, are read, so tests of any engine count; a dynamic test counts
 * through the factory method that contains it.
 */
final class RequirementIds {
  private RequirementIds() {}

  /** The IDs that hold for the identifier, in alphabetical order. */
  static Set<String> of(TestPlan plan, TestIdentifier identifier) {
    Set<String> ids = new TreeSet<>();
    TestIdentifier current = identifier;
    while (current != null) {
      current.getSource().ifPresent(source -> addFrom(source, ids));
      current = plan.getParent(current).orElse(null);
    }
    return ids;
  }

  /** A name by which a reader finds the test in the code. */
  static String nameOf(TestIdentifier identifier) {
    return identifier
        .getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(source -> source.getClassName() + "#" + source.getMethodName())
        .orElse(identifier.getDisplayName());
  }

  private static void addFrom(TestSource source, Set<String> ids) {
    if (source instanceof MethodSource method) {
      add(method.getJavaMethod(), ids);
      addFromClassAndEnclosing(method.getJavaClass(), ids);
    } else if (source instanceof ClassSource type) {
      addFromClassAndEnclosing(type.getJavaClass(), ids);
    }
  }

  private static void addFromClassAndEnclosing(Class<?> type, Set<String> ids) {
    for (Class<?> current = type; current != null; current = current.getEnclosingClass()) {
      add(current, ids);
    }
  }

  private static void add(AnnotatedElement element, Set<String> ids) {
    Requirement requirement = element.getAnnotation(Requirement.class);
    if (requirement != null) {
      ids.addAll(Set.of(requirement.value()));
    }
  }
}
