package io.quantail.state;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/**
 * An immutable array of a saved state: element type, shape (row-major, empty for a scalar) and
 * values.
 *
 * <p>The values are stored as little-endian bytes, as in files. This keeps every bit (negative
 * zero, NaN payloads), and two arrays are equal if all their bits are. {@code StateArrayTest} pins
 * this.
 */
public final class StateArray {
  private final Type type;
  private final long[] shape;
  private final byte[] bytes;

  private StateArray(Type type, long[] shape, byte[] bytes) {
    this.type = type;
    this.shape = shape;
    this.bytes = bytes;
  }

  /** Returns an array with a copy of the values; without a shape it is a scalar. */
  public static StateArray ofFloats(float[] values, long... shape) {
    StateArray array = allocate(Type.FLOAT32, values.length, shape);
    array.writable().asFloatBuffer().put(values);
    return array;
  }

  /** Returns an array with a copy of the values; without a shape it is a scalar. */
  public static StateArray ofDoubles(double[] values, long... shape) {
    StateArray array = allocate(Type.FLOAT64, values.length, shape);
    array.writable().asDoubleBuffer().put(values);
    return array;
  }

  /** Returns an array with a copy of the values; without a shape it is a scalar. */
  public static StateArray ofLongs(long[] values, long... shape) {
    StateArray array = allocate(Type.INT64, values.length, shape);
    array.writable().asLongBuffer().put(values);
    return array;
  }

  /** Returns an array with a copy of the values; without a shape it is a scalar. */
  public static StateArray ofBytes(byte[] values, long... shape) {
    StateArray array = allocate(Type.UINT8, values.length, shape);
    array.writable().put(values);
    return array;
  }

  /**
   * Returns an array of the bytes of a file. They are not copied, so the caller must not change
   * them afterwards.
   */
  public static StateArray ofLittleEndian(Type type, long[] shape, byte[] bytes) {
    long expected = byteCount(type, shape);
    if (expected != bytes.length) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "%s takes %d bytes, found %d",
              describe(type, shape),
              expected,
              bytes.length));
    }
    return new StateArray(type, shape.clone(), bytes);
  }

  /** Returns the product of the dimensions, 1 for a scalar. */
  public static long elementCount(long... shape) {
    boolean empty = false;
    for (long dimension : shape) {
      if (dimension < 0) {
        throw new StateException(
            "shape " + Arrays.toString(shape) + " has a negative dimension; use 0 or more");
      }
      empty |= dimension == 0;
    }
    return empty ? 0 : product(shape);
  }

  /** Returns the number of bytes that an array takes. */
  public static long byteCount(Type type, long... shape) {
    return multiply(shape, elementCount(shape), type.elementBytes());
  }

  private static long product(long[] shape) {
    long count = 1;
    for (long dimension : shape) {
      count = multiply(shape, count, dimension);
    }
    return count;
  }

  private static long multiply(long[] shape, long left, long right) {
    if (Math.multiplyHigh(left, right) != 0 || left * right < 0) {
      throw new StateException("shape " + Arrays.toString(shape) + " takes more than 2^63 bytes");
    }
    return left * right;
  }

  private static StateArray allocate(Type type, int length, long[] shape) {
    if (elementCount(shape) != length) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "%s takes %d values, found %d",
              describe(type, shape),
              elementCount(shape),
              length));
    }
    long size = byteCount(type, shape);
    if (size > Integer.MAX_VALUE - 8) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "%s takes %d bytes, at most %d fit into one array; split it",
              describe(type, shape),
              size,
              Integer.MAX_VALUE - 8));
    }
    return new StateArray(type, shape.clone(), new byte[(int) size]);
  }

  /** Returns the element type. */
  public Type type() {
    return type;
  }

  /** Returns the dimensions, outermost first; none for a scalar. */
  public long[] shape() {
    return shape.clone();
  }

  /** Returns a copy of the values of a float32 array. */
  public float[] toFloats() {
    requireType(Type.FLOAT32);
    float[] values = new float[bytes.length / Float.BYTES];
    littleEndian().asFloatBuffer().get(values);
    return values;
  }

  /** Returns a copy of the values of a float64 array. */
  public double[] toDoubles() {
    requireType(Type.FLOAT64);
    double[] values = new double[bytes.length / Double.BYTES];
    littleEndian().asDoubleBuffer().get(values);
    return values;
  }

  /** Returns a copy of the values of an int64 array. */
  public long[] toLongs() {
    requireType(Type.INT64);
    long[] values = new long[bytes.length / Long.BYTES];
    littleEndian().asLongBuffer().get(values);
    return values;
  }

  /** Returns a copy of the values of a uint8 array. */
  public byte[] toBytes() {
    requireType(Type.UINT8);
    return bytes.clone();
  }

  /** Returns a read-only view of the values as they are stored in a file. */
  public ByteBuffer littleEndian() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer writable() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void requireType(Type expected) {
    if (type != expected) {
      throw new StateException(
          "expected " + describe(expected, shape) + ", found " + describe(type, shape));
    }
  }

  static String describe(Type type, long[] shape) {
    return type.name().toLowerCase(Locale.ROOT) + Arrays.toString(shape);
  }

  /** Returns whether type, shape and every bit are equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StateArray that
        && type == that.type
        && Arrays.equals(shape, that.shape)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * type.ordinal() + Arrays.hashCode(shape)) + Arrays.hashCode(bytes);
  }

  /** Returns type and shape, for example {@code float32[64, 128]}. */
  @Override
  public String toString() {
    return describe(type, shape);
  }

  /** The element type of a {@link StateArray}. */
  public enum Type {
    FLOAT32(Float.BYTES),
    FLOAT64(Double.BYTES),
    INT64(Long.BYTES),
    UINT8(Byte.BYTES);

    private final int elementBytes;

    Type(int elementBytes) {
      this.elementBytes = elementBytes;
    }

    /** Returns the number of bytes of one element. */
    public int elementBytes() {
      return elementBytes;
    }
  }
}
