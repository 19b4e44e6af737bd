package io.quantail.env.vector;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.io.CloseAll;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates the environments of a vector and checks that their spaces agree. */
final class EnvironmentCreator {
  private final EnvironmentFactory factory;
  private final List<Environment> made = new ArrayList<>();
  private @Nullable Spaces spaces;

  EnvironmentCreator(EnvironmentFactory factory) {
    this.factory = factory;
  }

  /** Creates environments; closes those already created if one of them fails. */
  List<Environment> all(int count) {
    try {
      for (int i = 0; i < count; i++) {
        Environment environment = create(i);
        boolean shared = made.stream().anyMatch(other -> other == environment);
        if (shared) {
          throw new EnvironmentException(
              String.format(
                      Locale.ROOT,
                      "environment %d is the same object as an earlier one; the factory must create a new",
                      i)
                  + " one on each call");
        }
        made.add(environment);
        requireSameSpaces(environment, i);
      }
      return List.copyOf(made);
    } catch (RuntimeException failure) {
      CloseAll.closeAfter(failure, made);
      throw failure;
    }
  }

  /** Creates a replacement for a slot. */
  Environment another(int index) {
    Environment environment = create(index);
    requireSameSpaces(environment, index);
    return environment;
  }

  /**
   * Creates a new environment for a slot.
   *
   * @param old the one that failed, or null if it hangs and cannot be closed
   */
  GuardedEnvironment replace(@Nullable GuardedEnvironment old, int index) {
    if (old != null) {
      try {
        old.close();
      } catch (RuntimeException ignored) {
        // The environment is discarded, and the fault has been recorded already.
      }
    }
    return new GuardedEnvironment(another(index), index);
  }

  private Environment create(int index) {
    Environment environment;
    try {
      environment = factory.create(index);
    } catch (RuntimeException exception) {
      throw new EnvironmentException(
          "environment " + index + " could not be created: " + exception, exception);
    }
    if (environment == null) {
      throw new EnvironmentException(
          "environment " + index + " could not be created: the factory returned null");
    }
    return environment;
  }

  private void requireSameSpaces(Environment environment, int index) {
    Spaces found = Spaces.of(environment, index);
    if (found.observations() == null
        || found.observations().size() < 1
        || found.actions() == null) {
      throw new EnvironmentException(
          String.format(
                  Locale.ROOT,
                  "environment %d observes %s and acts in %s; it needs at least one number to observe and an",
                  index,
                  found.observations(),
                  found.actions())
              + " action space");
    }
    if (spaces == null) {
      spaces = found;
    }
    if (found.masks() != spaces.masks()) {
      throw new EnvironmentException(
          String.format(
              Locale.ROOT,
              "environment %d %s allowed and environment 0 does the opposite; all must agree",
              index,
              found.masks() ? "overrides" : "does not override"));
    }
    if (!found.equals(spaces)) {
      throw new EnvironmentException(
          String.format(
                  Locale.ROOT,
                  "environment %d observes %s and acts in %s, environment 0 observes %s and acts in %s; all must",
                  index,
                  found.observations(),
                  found.actions(),
                  spaces.observations(),
                  spaces.actions())
              + " agree");
    }
  }

  /** The spaces of an environment, and whether it can forbid actions. */
  private record Spaces(ObservationSpace observations, ActionSpace actions, boolean masks) {
    static Spaces of(Environment environment, int index) {
      try {
        ActionSpace actions = environment.actionSpace();
        boolean masks = actions != null && GuardedEnvironment.masks(environment);
        return new Spaces(environment.observationSpace(), actions, masks);
      } catch (RuntimeException exception) {
        throw new EnvironmentException(
            String.format(
                    Locale.ROOT,
                    "environment %d has no usable observation or action space: %s; correct the",
                    index,
                    exception.getMessage())
                + " environment",
            exception);
      }
    }
  }
}
