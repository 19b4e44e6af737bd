package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trainer takes a saved state as a whole or not at all. */
class RestoreTest {
  private static final String[] SETTINGS = {
    "environment.name=Pendulum-v1", "optimizer.vgs.enabled=true", "ppo.entropy.plateauWindow=2"
  };

  /** Snapshots of earlier builds do not have them. */
  private static final Set<String> LATER = Set.of("calibrationAlarm/runs", "risk/episodes");

  @ParameterizedTest
  @ValueSource(strings = {"adam", "sgd", "adaptive-upgd"})
  void shouldChangeNothingWhenAnEntryIsMissing(String optimizer) {
    requireUnchanged(config(optimizer), (name, array) -> LATER.contains(name) ? array : null);
  }

  @Test
  void shouldChangeNothingWhenAnEntryHasAnotherShape() {
    requireUnchanged(
        config("adam"),
        (name, array) -> StateArray.ofFloats(new float[] {1, 2, 3, 4, 5, 6, 7}, 7, 1));
  }

  @Test
  void shouldChangeNothingWhenNumbersAreImpossible() {
    RunConfig config = config("adam");
    requireUnchanged(
        config,
        (name, array) ->
            switch (name) {
              case "returns/scale" -> StateArray.ofDoubles(new double[] {0, -1}, 2);
              case "agent/normalizer/variance" ->
                  StateArray.ofDoubles(new double[] {1, 1, Double.NaN}, 3);
              // Too few numbers for an observation, which only the environments find out.
              case "collector/episodes/2" -> StateArray.ofDoubles(new double[] {0, 1, 2}, 3);
              default -> array;
            });
  }

  @Test
  void shouldChangeNothingWhenThereIsAnEntryTooMany() {
    RunConfig config = config("adam");
    StateMap other = trained(config, 2);
    other.putLong("unknown", 1);
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("Pendulum-v1"))) {
      trainer.iterate();
      Map<String, StateArray> before = saved(trainer).entries();
      assertThatThrownBy(() -> trainer.load(other)).hasMessageContaining("unknown");
      assertThat(saved(trainer).entries()).isEqualTo(before);
    }
  }

  private static RunConfig config(String optimizer) {
    String[] settings = Arrays.copyOf(SETTINGS, SETTINGS.length + 1);
    settings[SETTINGS.length] = "optimizer.name=" + optimizer;
    return SmallRuns.of(RunConfig.defaults(), settings);
  }

  /**
   * Breaks one entry after the other.
   *
   * @param broken gives the entry to put in the place of another, which may be the same; null for
   *     none
   */
  private static void requireUnchanged(
      RunConfig config, BiFunction<String, StateArray, StateArray> broken) {
    StateMap whole = trained(config, 2);
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("Pendulum-v1"));
        Trainer undisturbed = new Trainer(config, EnvironmentRegistry.byName("Pendulum-v1"))) {
      trainer.iterate();
      undisturbed.iterate();
      Map<String, StateArray> before = saved(trainer).entries();
      int refused = 0;
      for (String name : whole.names()) {
        StateArray replacement = broken.apply(name, whole.entries().get(name));
        if (whole.entries().get(name).equals(replacement)) {
          continue;
        }
        StateMap state = new StateMap();
        whole
            .entries()
            .forEach(
                (other, array) -> {
                  if (!other.equals(name)) {
                    state.put(other, array);
                  } else if (replacement != null) {
                    state.put(other, replacement);
                  }
                });
        assertThatThrownBy(() -> trainer.load(state)).as(name).isInstanceOf(RuntimeException.class);
        assertThat(saved(trainer).entries()).as(name).isEqualTo(before);
        refused++;
      }
      assertThat(refused).isGreaterThan(2);
      trainer.iterate();
      undisturbed.iterate();
      assertThat(saved(trainer).entries()).isEqualTo(saved(undisturbed).entries());
    }
  }

  private static StateMap trained(RunConfig config, int iterations) {
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("Pendulum-v1"))) {
      for (int i = 0; i < iterations; i++) {
        trainer.iterate();
      }
      return saved(trainer);
    }
  }

  private static StateMap saved(Trainer trainer) {
    StateMap state = new StateMap();
    trainer.save(state);
    return state;
  }
}
