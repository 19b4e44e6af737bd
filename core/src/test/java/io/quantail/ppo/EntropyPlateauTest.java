package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.ppo.EntropyPlateau.Observation;
import io.quantail.ppo.EntropyPlateau.State;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

@Requirement("ENT-1")
class EntropyPlateauTest {
  private static final EntropySchedule SCHEDULE = new EntropySchedule(0.01, 0.001, 0.002, 10);

  private final EntropyPlateau plateau = new EntropyPlateau(4, 0.01, 6);

  @Test
  void shouldDelayDecayWhileEntropyFalls() {
    assertThat(run(plateau, SCHEDULE, 50, update -> 2 - 0.1 * update).started()).isFalse();
  }

  @Test
  void shouldStartDecayOnceOnFirstPlateauAfterMinimum() {
    State state = run(plateau, SCHEDULE, 50, update -> 1.5);

    assertThat(state.decayStart()).isEqualTo(6);
    assertThat(state.recent()).hasSize(4);
  }

  @Test
  void shouldNotLookAtWindowThatIsNotFull() {
    EntropyPlateau eager = new EntropyPlateau(4, 0.01, 0);

    assertThat(run(eager, SCHEDULE, 3, update -> 1.5).started()).isFalse();
    assertThat(run(eager, SCHEDULE, 4, update -> 1.5).decayStart()).isEqualTo(3);
  }

  @Test
  void shouldForgetWhatLeftTheWindow() {
    State state = run(plateau, SCHEDULE, 20, update -> update < 10 ? -update : -10);

    assertThat(state.decayStart()).isEqualTo(13);
  }

  @Test
  void shouldNotStartDecayAtTheFloor() {
    EntropySchedule atFloor = new EntropySchedule(0.002, 0, 0.002, 10);

    assertThat(run(plateau, atFloor, 50, update -> 1.5).started()).isFalse();
  }

  @Test
  void shouldStartAtOnceWithoutWindow() {
    EntropyPlateau off = new EntropyPlateau(0, 0, 0);

    assertThat(off.initial().decayStart()).isZero();
    assertThat(run(off, SCHEDULE, 5, update -> 1).recent()).isEmpty();
  }

  @Test
  void shouldLeaveOutEntropyThatIsNotFinite() {
    State state = plateau.observe(plateau.initial(), new Observation(0, Double.NaN), SCHEDULE);

    assertThat(state).isEqualTo(plateau.initial());
  }

  @Test
  void shouldMeasureSlopePerUpdate() {
    List<Observation> line =
        List.of(new Observation(10, 3), new Observation(12, 2), new Observation(16, 0));

    assertThat(EntropyPlateau.slope(line).getAsDouble()).isEqualTo(-0.5, within(1e-12));
    assertThat(EntropyPlateau.slope(List.of(new Observation(1, 1)))).isEmpty();
    assertThat(EntropyPlateau.slope(List.of())).isEmpty();
  }

  @Test
  void shouldRefuseImpossibleSettings() {
    assertThatThrownBy(() -> new EntropyPlateau(1, 0, 0)).hasMessageContaining("was 1");
    assertThatThrownBy(() -> new EntropyPlateau(2, -1, 0)).hasMessageContaining("tolerance");
    assertThatThrownBy(() -> new EntropyPlateau(2, 0, -1)).hasMessageContaining("minimum updates");
  }

  private static State run(
      EntropyPlateau plateau, EntropySchedule schedule, int updates, LongToDoubleFunction entropy) {
    State state = plateau.initial();
    for (long update = 0; update < updates; update++) {
      Observation observation = new Observation(update, entropy.applyAsDouble(update));
      state = plateau.observe(state, observation, schedule);
    }
    return state;
  }
}
