package io.quantail.testing;

import java.util.List;

/**
 * How one test that carries requirement IDs ended; the form in which a module's test run is stored.
 *
 * @param test where the test is, for example {@code io.quantail.rollout.GaeTest#shouldCutTrace}
 * @param requirements the IDs the test carries, never empty
 * @param passed false when the test failed, was aborted or was skipped
 */
record TestOutcome(String test, List<String> requirements, boolean passed) {
  TestOutcome {
    requirements = List.copyOf(requirements);
  }
}
