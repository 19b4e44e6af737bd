package io.quantail.testing;

import java.util.List;

/**
 * A test method that carries requirement IDs, whether it runs in this build or not; the form in
 * which a module's tests are stored.
 *
 * @param test where the test is, for example {@code io.quantail.rollout.GaeTest#shouldCutTrace}
 * @param requirements the IDs the test carries, never empty
 * @param tags the tags of the method and of the classes around it
 */
record TestDeclaration(String test, List<String> requirements, List<String> tags) {
  TestDeclaration {
    requirements = List.copyOf(requirements);
    tags = List.copyOf(tags);
  }

  /** The simple name of the top-level class, for example {@code GaeTest}. */
  String className() {
    return classNameOf(test);
  }

  /** The simple name of the top-level class in {@code io.quantail.rollout.GaeTest$Inner#method}. */
  static String classNameOf(String test) {
    String type = test.contains("#") ? test.substring(0, test.indexOf('#')) : test;
    String simple = type.substring(type.lastIndexOf('.') + 1);
    return simple.contains("$") ? simple.substring(0, simple.indexOf('$')) : simple;
  }
}
