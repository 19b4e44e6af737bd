package io.quantail.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CKPT-1")
class StateMapTest {
  private final StateMap state = new StateMap();

  @Test
  void shouldGiveBackEveryKindOfEntry() {
    state
        .putFloats("floats", new float[] {1, 2, 3, 4, 5, 6}, 2, 3)
        .putDoubles("doubles", new double[] {0.1})
        .putLongs("longs", new long[] {Long.MIN_VALUE, 7})
        .putDouble("double", Math.PI)
        .putLong("long", -3)
        .putBoolean("yes", true)
        .putBoolean("no", false)
        .putFloats("empty", new float[0], 0, 5);

    assertThat(state.floats("floats", 2, 3)).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(state.doubles("doubles")).containsExactly(0.1);
    assertThat(state.longs("longs", 2)).containsExactly(Long.MIN_VALUE, 7);
    assertThat(state.doubleValue("double")).isEqualTo(Math.PI);
    assertThat(state.longValue("long")).isEqualTo(-3);
    assertThat(state.booleanValue("yes")).isTrue();
    assertThat(state.booleanValue("no")).isFalse();
    assertThat(state.floats("empty", 0, 5)).isEmpty();
    state.requireAllRead();
  }

  @Test
  void shouldKeepTheOrderOfWriting() {
    state.putLong("z", 1).putLong("a", 2);
    state.child("m").putLong("x", 3);

    assertThat(state.names()).containsExactly("z", "a", "m/x");
  }

  @Test
  void shouldShareEntriesWithItsChildren() {
    state.putLong("optimizer2/step", 1);
    StateMap moments = state.child("optimizer").child("moments");
    moments.putDouble("first", 0.9);

    assertThat(state.doubleValue("optimizer/moments/first")).isEqualTo(0.9);
    assertThat(state.child("optimizer").names()).containsExactly("moments/first");
    assertThat(state.child("optimizer").entries()).containsOnlyKeys("moments/first");
    assertThat(moments.contains("first")).isTrue();
    assertThat(moments.contains("second")).isFalse();
    state.child("optimizer").requireAllRead();
    assertThatThrownBy(state::requireAllRead).hasMessageContaining("optimizer2/step");
  }

  @Test
  void shouldRefuseMissingNames() {
    state.child("kl").putDouble("beta", 1);

    assertThatThrownBy(() -> state.child("kl").doubleValue("integral"))
        .isInstanceOf(StateException.class)
        .hasMessage("state entry 'kl/integral' is missing; under 'kl/' there are [beta]");
    assertThatThrownBy(() -> state.floats("weights", 3))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("'weights' is missing");
  }

  @Test
  void shouldRefuseAnotherType() {
    state.putDouble("beta", 1).putDoubles("vector", new double[3]);

    assertThatThrownBy(() -> state.longValue("beta"))
        .isInstanceOf(StateException.class)
        .hasMessage("state entry 'beta' is float64[], expected int64[]");
    assertThatThrownBy(() -> state.floats("vector", 3))
        .hasMessage("state entry 'vector' is float64[3], expected float32[3]");
    assertThatThrownBy(() -> state.longs("vector"))
        .hasMessage("state entry 'vector' is float64[3], expected int64[any]");
  }

  @Test
  void shouldRefuseAnotherShape() {
    state.putFloats("weights", new float[6], 2, 3).putLong("step", 1);

    assertThatThrownBy(() -> state.floats("weights", 3, 2))
        .isInstanceOf(StateException.class)
        .hasMessage("state entry 'weights' is float32[2, 3], expected float32[3, 2]");
    assertThatThrownBy(() -> state.floats("weights", 6))
        .hasMessageContaining("expected float32[6]");
    assertThatThrownBy(() -> state.floats("weights")).hasMessageContaining("expected float32[any]");
    assertThatThrownBy(() -> state.longValue("weights")).hasMessageContaining("int64[]");
    assertThatThrownBy(() -> state.longs("step")).hasMessageContaining("expected int64[any]");
  }

  @Test
  void shouldRefuseValuesThatDoNotFillTheShape() {
    assertThatThrownBy(() -> state.child("a").putFloats("b", new float[5], 2, 3))
        .isInstanceOf(StateException.class)
        .hasMessage("state entry 'a/b': float32[2, 3] takes 6 values, found 5");
    assertThatThrownBy(() -> state.putLongs("c", new long[5], 4)).hasMessageContaining("'c'");
    assertThatThrownBy(() -> state.putDoubles("d", new double[5], 4)).hasMessageContaining("'d'");
    assertThat(state.names()).isEmpty();
  }

  @Test
  void shouldRefuseToWriteANameTwice() {
    state.putLong("step", 1);

    assertThatThrownBy(() -> state.putDouble("step", 2))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("'step' is written twice: int64[], then float64[]");
    assertThat(state.longValue("step")).isEqualTo(1);
  }

  @Test
  void shouldRefuseLeftovers() {
    state.putLong("step", 1).putLong("forgotten", 2).putLong("other", 3);
    state.longValue("step");

    assertThatThrownBy(state::requireAllRead)
        .isInstanceOf(StateException.class)
        .hasMessageContaining("2 state entries")
        .hasMessageContaining("[forgotten, other]");
  }

  @Test
  void shouldNotCountLookingOrAFailedReadAsReading() {
    state.putLong("step", 1);
    state.entries();
    state.contains("step");
    assertThatThrownBy(() -> state.doubleValue("step")).isInstanceOf(StateException.class);
    assertThatThrownBy(() -> state.longs("step", 4)).isInstanceOf(StateException.class);

    assertThatThrownBy(state::requireAllRead).hasMessageContaining("[step]");
  }

  @Test
  void shouldRefuseBytesThatAreNoBoolean() {
    state.put("flag", StateArray.ofBytes(new byte[] {2}));

    assertThatThrownBy(() -> state.booleanValue("flag"))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("'flag' must be 0 or 1, was 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/a", "a/", "a//b", "tab\there", "Größe", "\uD83D"})
  void shouldRefuseNamesThatFilesCannotHold(String name) {
    assertThatThrownBy(() -> state.putLong(name, 1))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("printable ASCII");
    assertThatThrownBy(() -> state.child(name)).isInstanceOf(StateException.class);
  }

  @Test
  void shouldRefuseToChangeEntriesThroughTheView() {
    assertThatThrownBy(() -> state.entries().put("a", StateArray.ofLongs(new long[1])))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
