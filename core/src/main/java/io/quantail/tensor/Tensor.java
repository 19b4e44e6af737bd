package io.quantail.tensor;

import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * An n-dimensional array of libtorch that records gradients, with the operators the learner uses.
 *
 * <p>It never changes, and is freed with the innermost {@link Scope} of the thread that made it.
 */
public final class Tensor {
  private final org.bytedeco.pytorch.Tensor handle;

  private Tensor(org.bytedeco.pytorch.Tensor handle) {
    this.handle = handle;
  }

  private static Tensor wrap(org.bytedeco.pytorch.Tensor handle) {
    if (PointerScope.getInnerScope() == null) {
      handle.close();
      throw new IllegalStateException("a tensor was made outside a Scope; open one first");
    }
    return new Tensor(handle);
  }

  /** A float32 tensor holding a copy of the values. */
  public static Tensor of(float[] values, long... shape) {
    return wrap(NativeArrays.of(values, shape));
  }

  /** A float64 tensor holding a copy of the values. */
  public static Tensor of(double[] values, long... shape) {
    return wrap(NativeArrays.of(values, shape));
  }

  /** An int64 tensor holding a copy of the values, for indexing. */
  public static Tensor of(long[] values, long... shape) {
    return wrap(NativeArrays.of(values, shape));
  }

  /** Zeros of float32. */
  public static Tensor zeros(long... shape) {
    return wrap(NativeArrays.empty(ScalarType.Float, shape).zero_());
  }

  /** The tensors laid one behind the other along a dimension. */
  public static Tensor cat(List<Tensor> parts, int dimension) {
    return wrap(torch.cat(vector(parts), dimension));
  }

  /** The tensors, all of one shape, along a new dimension. */
  public static Tensor stack(List<Tensor> parts, int dimension) {
    return wrap(torch.stack(vector(parts), dimension));
  }

  static TensorVector vector(List<Tensor> tensors) {
    org.bytedeco.pytorch.Tensor[] handles = new org.bytedeco.pytorch.Tensor[tensors.size()];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = tensors.get(i).handle;
    }
    return new TensorVector(handles);
  }

  /** The number of elements. */
  public long count() {
    return handle.numel();
  }

  /** The length of one dimension. */
  public long size(int dimension) {
    return handle.size(dimension);
  }

  /** The lengths of all dimensions. */
  public long[] shape() {
    long[] shape = new long[(int) handle.dim()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = handle.size(i);
    }
    return shape;
  }

  public Tensor reshape(long... shape) {
    return wrap(handle.reshape(shape));
  }

  /** A view of {@code length} entries of a dimension from {@code start}. */
  public Tensor narrow(int dimension, long start, long length) {
    return wrap(handle.narrow(dimension, start, length));
  }

  /** A view of one entry of a dimension, which disappears. */
  public Tensor select(int dimension, long index) {
    return wrap(handle.select(dimension, index));
  }

  public Tensor unsqueeze(int dimension) {
    return wrap(handle.unsqueeze(dimension));
  }

  /** Elements picked along a dimension by an int64 index of the same rank. */
  public Tensor gather(int dimension, Tensor index) {
    return wrap(handle.gather(dimension, index.handle));
  }

  /** Values of a dimension in ascending order. */
  public Tensor sort(int dimension) {
    return wrap(torch.sort(handle, dimension, false).get0());
  }

  /** This tensor's elements as int64 indices. */
  public Tensor toIndex() {
    return wrap(handle.to(ScalarType.Long));
  }

  /** The values as a vector of this tensor's type. */
  public Tensor likeThis(double[] values) {
    return wrap(of(values, values.length).handle.to(handle.scalar_type()));
  }

  /** A copy of all elements of a float32 tensor, row by row. */
  public float[] floats() {
    return NativeArrays.floats(handle);
  }

  /** A copy of all elements, widened to double. */
  public double[] doubles() {
    return NativeArrays.doubles(handle);
  }

  /** A copy of all elements of an int64 tensor. */
  public long[] longs() {
    return NativeArrays.longs(handle);
  }

  /** The value of a tensor with one element. */
  public double item() {
    return handle.item_double();
  }

  public Tensor add(Tensor other) {
    return wrap(handle.add(other.handle));
  }

  public Tensor add(double value) {
    return wrap(handle.add(new Scalar(value)));
  }

  public Tensor sub(Tensor other) {
    return wrap(handle.sub(other.handle));
  }

  public Tensor mul(Tensor other) {
    return wrap(handle.mul(other.handle));
  }

  public Tensor mul(double value) {
    return wrap(handle.mul(new Scalar(value)));
  }

  public Tensor div(Tensor other) {
    return wrap(handle.div(other.handle));
  }

  public Tensor neg() {
    return wrap(handle.neg());
  }

  public Tensor abs() {
    return wrap(handle.abs());
  }

  public Tensor square() {
    return wrap(handle.square());
  }

  public Tensor sqrt() {
    return wrap(handle.sqrt());
  }

  public Tensor exp() {
    return wrap(handle.exp());
  }

  public Tensor log() {
    return wrap(handle.log());
  }

  public Tensor tanh() {
    return wrap(handle.tanh());
  }

  public Tensor sigmoid() {
    return wrap(handle.sigmoid());
  }

  /** {@code ln(1 + e^x)}, without overflow. */
  public Tensor softplus() {
    return wrap(torch.softplus(handle));
  }

  public Tensor minimum(Tensor other) {
    return wrap(handle.minimum(other.handle));
  }

  public Tensor maximum(Tensor other) {
    return wrap(handle.maximum(other.handle));
  }

  /** Limited to [low, high]; the gradient is zero outside. */
  public Tensor clamp(double low, double high) {
    return wrap(
        torch.clamp(
            handle, new ScalarOptional(new Scalar(low)), new ScalarOptional(new Scalar(high))));
  }

  /** 1 where this is below the value, else 0, in this tensor's type and without gradient. */
  public Tensor below(double value) {
    return wrap(handle.lt(new Scalar(value)).to(handle.scalar_type()));
  }

  public Tensor sum() {
    return wrap(handle.sum());
  }

  public Tensor sum(int dimension) {
    return wrap(torch.sum(handle, dimension));
  }

  /** Each entry of a dimension plus all those before it. */
  public Tensor cumulativeSum(int dimension) {
    return wrap(torch.cumsum(handle, dimension));
  }

  public Tensor mean() {
    return wrap(handle.mean());
  }

  public Tensor mean(int dimension) {
    return wrap(torch.mean(handle, dimension));
  }

  /** The Euclidean norm of all elements. */
  public Tensor norm() {
    return wrap(handle.norm());
  }

  public Tensor logSoftmax(int dimension) {
    return wrap(torch.log_softmax(handle, dimension));
  }

  /** The same numbers, cut from the graph; shares memory with this tensor. */
  public Tensor detach() {
    return wrap(handle.detach());
  }

  /** Marks a leaf whose gradient is wanted. */
  public Tensor requireGradient() {
    handle.set_requires_grad(true);
    return this;
  }

  /** Whether a gradient has reached this leaf. */
  public boolean hasGradient() {
    return handle.grad().defined();
  }

  /** The gradient of a leaf after {@link #backward()}. */
  public Tensor gradient() {
    org.bytedeco.pytorch.Tensor gradient = handle.grad();
    if (!gradient.defined()) {
      throw new IllegalStateException("no gradient reached this tensor");
    }
    return wrap(gradient);
  }

  /** Adds the gradient of this one-element tensor to every leaf below it. */
  public void backward() {
    handle.backward();
  }

  org.bytedeco.pytorch.Tensor handle() {
    return handle;
  }

  static Tensor fromNative(org.bytedeco.pytorch.Tensor handle) {
    return wrap(handle);
  }

  @Override
  public String toString() {
    return "Tensor" + Arrays.toString(shape());
  }
}
