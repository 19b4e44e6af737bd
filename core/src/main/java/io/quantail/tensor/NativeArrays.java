package io.quantail.tensor;

import java.util.Arrays;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.LayoutOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Copies numbers between Java arrays and libtorch's memory. */
final class NativeArrays {
  private NativeArrays() {}

  static Tensor of(float[] values, long... shape) {
    Tensor result = empty(ScalarType.Float, checked(values.length, shape));
    if (values.length > 0) {
      result.data_ptr_float().put(values);
    }
    return result;
  }

  static Tensor of(double[] values, long... shape) {
    Tensor result = empty(ScalarType.Double, checked(values.length, shape));
    if (values.length > 0) {
      result.data_ptr_double().put(values);
    }
    return result;
  }

  static Tensor of(long[] values, long... shape) {
    Tensor result = empty(ScalarType.Long, checked(values.length, shape));
    if (values.length > 0) {
      result.data_ptr_long().put(values);
    }
    return result;
  }

  /** Memory that holds anything. */
  static Tensor empty(ScalarType type, long... shape) {
    Torch.load();
    return torch.empty(
        shape,
        new ScalarTypeOptional(type),
        Defaults.LAYOUT,
        Defaults.DEVICE,
        Defaults.PINNED,
        Defaults.MEMORY_FORMAT);
  }

  /** Unset options, made once and kept, since every one of them is a native object. */
  private static final class Defaults {
    static final LayoutOptional LAYOUT = new LayoutOptional().retainReference();
    static final DeviceOptional DEVICE = new DeviceOptional().retainReference();
    static final BoolOptional PINNED = new BoolOptional().retainReference();
    static final MemoryFormatOptional MEMORY_FORMAT = new MemoryFormatOptional().retainReference();
  }

  private static long[] checked(int count, long[] shape) {
    long expected = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    if (expected != count) {
      throw new IllegalArgumentException(
          "shape " + Arrays.toString(shape) + " holds " + expected + " values, was given " + count);
    }
    return shape;
  }

  /** A copy of all elements of a float32 tensor, row by row. */
  static float[] floats(Tensor source) {
    float[] values = new float[(int) source.numel()];
    if (values.length > 0) {
      source.contiguous().data_ptr_float().get(values);
    }
    return values;
  }

  static double[] doubles(Tensor source) {
    double[] values = new double[(int) source.numel()];
    if (values.length > 0) {
      new DoublePointer(source.to(ScalarType.Double).contiguous().data_ptr_double()).get(values);
    }
    return values;
  }

  static long[] longs(Tensor source) {
    long[] values = new long[(int) source.numel()];
    if (values.length > 0) {
      new LongPointer(source.contiguous().data_ptr_long()).get(values);
    }
    return values;
  }
}
