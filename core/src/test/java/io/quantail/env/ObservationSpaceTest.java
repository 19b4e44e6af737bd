package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("ENV-1")
class ObservationSpaceTest {
  private static final ObservationSpace CAR =
      ObservationSpace.named("speed").part("wheels", 2).rawPart("gear", 3).rawPart("brake", 1);

  @Test
  void shouldNameEveryNumber() {
    assertThat(CAR.size()).isEqualTo(7);
    assertThat(CAR.name(0)).isEqualTo("speed");
    assertThat(CAR.name(2)).isEqualTo("wheels[1]");
    assertThat(CAR.name(3)).isEqualTo("gear[0]");
    assertThat(CAR.name(6)).isEqualTo("brake");
    assertThat(ObservationSpace.of(1).name(0)).isEqualTo("observation[0]");
    assertThat(CAR).hasToString("speed, wheels[2], gear[3] raw, brake raw");
    assertThatThrownBy(() -> CAR.name(7))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("0 to 6, was asked for 7");
  }

  @Test
  void shouldSayWhichNumbersAreRaw() {
    assertThat(CAR.raw()).containsExactly(false, false, false, true, true, true, true);
    assertThat(ObservationSpace.of(2).raw()).containsExactly(false, false);
  }

  @Test
  void shouldBeEqualByItsParts() {
    assertThat(ObservationSpace.named("a", "b"))
        .isEqualTo(ObservationSpace.named("a").part("b", 1))
        .hasSameHashCodeAs(ObservationSpace.named("a").part("b", 1))
        .isNotEqualTo(ObservationSpace.named("a").rawPart("b", 1))
        .isNotEqualTo(ObservationSpace.of(2));
  }

  @Test
  void shouldKeepNamesAndRawNumbersOfASelection() {
    assertThat(CAR.select(6, 2))
        .isEqualTo(ObservationSpace.named().rawPart("brake", 1).part("wheels[1]", 1));
    assertThat(ObservationSpace.of(5).select(4, 1)).isEqualTo(ObservationSpace.of(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void shouldRefuseEmptyParts(int size) {
    assertThatThrownBy(() -> ObservationSpace.of(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 number, was given " + size);
    assertThatThrownBy(() -> CAR.part("more", size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'more' and " + size);
  }

  @Test
  void shouldRefuseMissingAndRepeatedNames() {
    assertThatThrownBy(() -> CAR.part(" ", 1)).hasMessageContaining("needs a name");
    assertThatThrownBy(() -> ObservationSpace.named("a", "b", "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the parts of an observation need different names, were [a, b, a]");
  }
}
