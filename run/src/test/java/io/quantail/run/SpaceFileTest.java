package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.state.StateException;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("ENV-1")
class SpaceFileTest {
  private static final ObservationSpace OBSERVATIONS =
      ObservationSpace.named("speed").part("wheels", 4).rawPart("gear", 5);
  private static final SpaceFile SPACES =
      new SpaceFile(
          OBSERVATIONS, ActionSpace.product(ActionSpace.discrete(3), ActionSpace.box(-1.5, 0.25)));

  @Test
  void shouldReadWhatItWrites() {
    assertThat(SpaceFile.parse(SPACES.toJson())).isEqualTo(SPACES);
    SpaceFile plain = new SpaceFile(ObservationSpace.of(3), ActionSpace.discrete(2));
    assertThat(SpaceFile.parse(plain.toJson())).isEqualTo(plain);
  }

  @Test
  void shouldRefuseAResumedRunWithOtherSpaces() {
    SpaceFile bounds = new SpaceFile(OBSERVATIONS, ActionSpace.box(-1, 1));
    SpaceFile trained = new SpaceFile(OBSERVATIONS, ActionSpace.box(-1, 2));
    assertThatThrownBy(() -> bounds.requireSame(trained))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "the environment observes speed, wheels[4], gear[5] raw and acts in Box[low=[-1.0],"
                + " high=[1.0]], but the run was trained to observe speed, wheels[4], gear[5] raw"
                + " and to act in Box[low=[-1.0], high=[2.0]]; restore the environment, or start a"
                + " new run");
    SpaceFile normalised = new SpaceFile(ObservationSpace.of(10), bounds.actions());
    assertThatThrownBy(() -> normalised.requireSame(bounds)).hasMessageContaining("10 numbers");
  }

  @Test
  void shouldAllowOtherNames() {
    ObservationSpace renamed = ObservationSpace.of(5).rawPart("cog", 5);
    SpaceFile spaces = new SpaceFile(renamed, SPACES.actions());
    assertThatCode(() -> spaces.requireSame(SPACES)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{}", "{\"observation\": {\"parts\": []}}"})
  void shouldRefuseWhatDescribesNoSpaces(String text) {
    assertThatThrownBy(() -> SpaceFile.parse(text))
        .isInstanceOf(StateException.class)
        .hasMessage("does not describe observations and actions");
  }
}
