package io.quantail.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StateArrayTest {
  private static final int SIGNALLING_NAN = 0x7F800001;

  @Test
  void shouldKeepEveryBitOfNonFiniteValues() {
    float[] floats = {
      Float.intBitsToFloat(0x7FC0BEEF), -0.0f, Float.NEGATIVE_INFINITY, Float.MIN_VALUE
    };
    double[] doubles = {Double.longBitsToDouble(0xFFF8DEADBEEF0001L), -0.0, Double.MAX_VALUE};

    float[] floatsBack = StateArray.ofFloats(floats, 4).toFloats();
    double[] doublesBack = StateArray.ofDoubles(doubles, 3).toDoubles();

    for (int i = 0; i < floats.length; i++) {
      assertThat(Float.floatToRawIntBits(floatsBack[i]))
          .isEqualTo(Float.floatToRawIntBits(floats[i]));
    }
    for (int i = 0; i < doubles.length; i++) {
      assertThat(Double.doubleToRawLongBits(doublesBack[i]))
          .isEqualTo(Double.doubleToRawLongBits(doubles[i]));
    }
  }

  @Test
  void shouldCompareBitsAndNotValues() {
    StateArray zero = StateArray.ofFloats(new float[] {0.0f}, 1);
    StateArray negativeZero = StateArray.ofFloats(new float[] {-0.0f}, 1);
    StateArray quiet = StateArray.ofFloats(new float[] {Float.NaN}, 1);
    StateArray signalling =
        StateArray.ofFloats(new float[] {Float.intBitsToFloat(SIGNALLING_NAN)}, 1);

    assertThat(zero).isNotEqualTo(negativeZero);
    assertThat(quiet).isEqualTo(StateArray.ofFloats(new float[] {Float.NaN}, 1));
    assertThat(quiet).isNotEqualTo(signalling);
    assertThat(quiet).hasSameHashCodeAs(StateArray.ofFloats(new float[] {Float.NaN}, 1));
  }

  @Test
  void shouldDifferByTypeAndShape() {
    StateArray longs = StateArray.ofLongs(new long[] {0, 0}, 2);

    assertThat(longs).isNotEqualTo(StateArray.ofDoubles(new double[] {0, 0}, 2));
    assertThat(longs).isNotEqualTo(StateArray.ofLongs(new long[] {0, 0}, 1, 2));
    assertThat(longs).hasToString("int64[2]");
  }

  @Test
  void shouldNotShareMemoryWithItsCallers() {
    long[] values = {1, 2};
    long[] shape = {2};
    StateArray array = StateArray.ofLongs(values, shape);

    values[0] = 9;
    shape[0] = 9;
    array.shape()[0] = 9;
    array.toLongs()[1] = 9;

    assertThat(array.toLongs()).containsExactly(1, 2);
    assertThat(array.shape()).containsExactly(2);
    assertThat(array.littleEndian().isReadOnly()).isTrue();
  }

  @Test
  void shouldLayValuesOutLittleEndian() {
    byte[] bytes = new byte[8];
    StateArray.ofLongs(new long[] {0x0102030405060708L}).littleEndian().get(bytes);

    assertThat(bytes).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
    assertThat(StateArray.ofLittleEndian(StateArray.Type.INT64, new long[] {1}, bytes).toLongs())
        .containsExactly(0x0102030405060708L);
  }

  @Test
  void shouldCountElementsOfScalarsAndEmptyArrays() {
    assertThat(StateArray.elementCount()).isEqualTo(1);
    assertThat(StateArray.elementCount(3, 4)).isEqualTo(12);
    assertThat(StateArray.elementCount(Long.MAX_VALUE, 2, 0)).isZero();
  }

  @Test
  void shouldRefuseShapesThatCannotBe() {
    assertThatThrownBy(() -> StateArray.elementCount(2, -1))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("[2, -1]");
    assertThatThrownBy(() -> StateArray.elementCount(1L << 32, 1L << 31))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("2^63");
    assertThatThrownBy(() -> StateArray.byteCount(StateArray.Type.INT64, 1L << 60))
        .isInstanceOf(StateException.class);
    assertThatThrownBy(() -> StateArray.ofFloats(new float[5], 2, 3))
        .isInstanceOf(StateException.class)
        .hasMessage("float32[2, 3] takes 6 values, found 5");
    assertThatThrownBy(
            () -> StateArray.ofLittleEndian(StateArray.Type.FLOAT64, new long[] {2}, new byte[8]))
        .isInstanceOf(StateException.class)
        .hasMessage("float64[2] takes 16 bytes, found 8");
  }

  @Test
  void shouldRefuseToReadAnotherType() {
    StateArray array = StateArray.ofFloats(new float[] {1}, 1);

    assertThatThrownBy(array::toDoubles)
        .isInstanceOf(StateException.class)
        .hasMessage("expected float64[1], found float32[1]");
    assertThatThrownBy(array::toLongs).isInstanceOf(StateException.class);
    assertThatThrownBy(array::toBytes).isInstanceOf(StateException.class);
    assertThatThrownBy(() -> StateArray.ofLongs(new long[1], 1).toFloats())
        .isInstanceOf(StateException.class);
  }
}
