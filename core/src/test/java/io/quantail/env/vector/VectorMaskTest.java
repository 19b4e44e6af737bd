package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Step;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The mask of a vector belongs to the observation beside it, whatever happened before. */
@Requirement("ENV-1")
class VectorMaskTest {
  /** Forbids the choice that equals its step count. */
  private static class Masked extends CountingEnvironment {
    Masked(int length) {
      super(length);
    }

    @Override
    public void allowed(boolean[] mask) {
      mask[count % mask.length] = false;
    }
  }

  @Test
  void shouldShowTheMaskOfTheObservationAfterResetStepAndEndOfAnEpisode() {
    EnvironmentFactory factory = index -> new Masked(index + 1);
    try (VectorEnvironment vector = new VectorEnvironment(factory, 2, 0)) {
      assertThat(vector.maskSize()).isEqualTo(3);
      vector.reset();
      assertThat(vector.masks()).containsExactly(false, true, true, false, true, true);
      vector.step(0, 2, new float[] {1, 1});
      assertThat(vector.masks()).containsExactly(false, true, true, true, false, true);
      vector.step(0, 2, new float[] {1, 2});
      assertThat(vector.masks()).containsExactly(false, true, true, false, true, true);
    }
  }

  @Test
  void shouldHaveNoMasksWhereNothingIsEverForbidden() {
    EnvironmentFactory plain = index -> new TimeLimitWrapper(new CountingEnvironment(4), 2);
    EnvironmentFactory masked = index -> new TimeLimitWrapper(new Masked(4), 2);
    try (VectorEnvironment without = new VectorEnvironment(plain, 2, 0);
        VectorEnvironment with = new VectorEnvironment(masked, 2, 0)) {
      assertThat(without.maskSize()).isZero();
      assertThat(without.masks()).isEmpty();
      assertThat(with.maskSize()).isEqualTo(3);
    }
  }

  @Test
  void shouldRefuseAForbiddenActionBeforeSteppingAny() {
    try (VectorEnvironment vector = new VectorEnvironment(index -> new Masked(4), 2, 0)) {
      vector.reset();
      assertThatThrownBy(() -> vector.step(0, 2, new float[] {1, 0}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("action [0.0] of environment 1 is forbidden");
      assertThat(vector.observations()[1]).isZero();
    }
  }

  @Test
  void shouldNameThePlaceWhereEveryChoiceWasForbidden() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              @Override
              public void allowed(boolean[] mask) {
                Arrays.fill(mask, index == 0 || count < 2);
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 2, 0)) {
      vector.reset();
      vector.step(0, 2, new float[2]);
      assertThatThrownBy(() -> vector.step(0, 2, new float[2]))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageStartingWith(
              "environment 1, episode 0, step 2: allowed forbade every choice of the action,");
    }
  }

  @Test
  void shouldNameThePartOfWhichEveryChoiceWasForbidden() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              @Override
              public ActionSpace actionSpace() {
                return ActionSpace.product(
                    ActionSpace.box(0, 1), ActionSpace.discrete(2), ActionSpace.discrete(3));
              }

              @Override
              public void allowed(boolean[] mask) {
                Arrays.fill(mask, 2, 5, false);
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, 0)) {
      assertThatThrownBy(vector::reset)
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("allowed forbade every choice of part 2 of the action,");
    }
  }

  @Test
  void shouldNameThePlaceWhereAllowedThrew() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              @Override
              public void allowed(boolean[] mask) {
                mask[mask.length] = false;
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, 0)) {
      assertThatThrownBy(vector::reset)
          .isInstanceOf(EnvironmentException.class)
          .hasMessageStartingWith(
              "environment 0, episode 0, step 0: allowed threw"
                  + " java.lang.ArrayIndexOutOfBoundsException");
    }
  }

  @Test
  void shouldRestoreTheMaskOfARunningEpisode() {
    EnvironmentFactory factory = index -> new Masked(9);
    try (VectorEnvironment saved = new VectorEnvironment(factory, 1, 0);
        VectorEnvironment restored = new VectorEnvironment(factory, 1, 0)) {
      saved.reset();
      saved.step(0, 1, new float[] {2});
      List<double[]> snapshot = saved.snapshot().orElseThrow();
      restored.restore(snapshot);
      assertThat(restored.masks()).containsExactly(true, false, true);
      restored.step(0, 1, new float[] {0});
      assertThat(restored.masks()).containsExactly(true, true, false);
    }
  }

  @Test
  void shouldShowTheMaskOfTheEnvironmentThatReplacedAFailedOne() {
    boolean[] broken = {true};
    EnvironmentFactory factory =
        index ->
            new Masked(9) {
              @Override
              public Step step(Action action) {
                Step step = super.step(action);
                if (broken[0] && count == 2) {
                  broken[0] = false;
                  throw new IllegalStateException("lost the feed");
                }
                return step;
              }
            };
    for (Double deadline : Arrays.asList(null, 60.0)) {
      broken[0] = true;
      EnvironmentConfig.Faults faults =
          new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, deadline, 1, 1);
      try (VectorEnvironment vector = new VectorEnvironment(factory, 1, 0, faults)) {
        vector.reset();
        vector.step(0, 1, new float[] {1});
        assertThat(vector.masks()).containsExactly(true, false, true);
        vector.step(0, 1, new float[] {0});
        assertThat(vector.faulted()).containsExactly(true);
        assertThat(vector.masks()).containsExactly(false, true, true);
      }
    }
  }

  @Test
  void shouldRefuseEnvironmentsOfWhichOnlySomeForbidActions() {
    EnvironmentFactory mixed = index -> index == 0 ? new CountingEnvironment(3) : new Masked(3);
    assertThatThrownBy(() -> new VectorEnvironment(mixed, 2, 0))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("environment 1 overrides allowed");
  }
}
