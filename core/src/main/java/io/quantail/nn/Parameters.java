package io.quantail.nn;

import io.quantail.kernel.Affine;
import io.quantail.kernel.Workspace;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All trainable numbers of a network in one flat vector.
 *
 * <p>Optimisers, clipping and snapshots work on {@link #values()} as a whole and in place. Networks
 * read it through {@linkplain #replica() replicas}: leaves that share this memory but have gradient
 * buffers of their own, so that several threads can run backward passes at once.
 */
public final class Parameters implements AutoCloseable {

  /** One named tensor inside the flat vector. */
  public record Slot(String name, List<Long> shape, long offset, long count) {
    /** The shape as an array. */
    public long[] dimensions() {
      return shape.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** A contiguous part of the flat vector. */
  public record Range(long offset, long count) {
    /** The part of a flat vector (values, gradient, moments) that this range covers. */
    public Tensor of(Tensor flat) {
      return flat.narrow(0, offset, count);
    }
  }

  private final List<Slot> slots;
  private final List<List<Linear>> affines;
  private final Tensor values;

  private Parameters(List<Slot> slots, List<List<Linear>> affines, Tensor values) {
    this.slots = slots;
    this.affines = affines;
    this.values = values;
  }

  /** Every number, in the order in which the network declared them. */
  public Tensor values() {
    return values;
  }

  public List<Slot> slots() {
    return slots;
  }

  /** The part that holds all slots whose name starts with the prefix; they must be neighbours. */
  public Range range(String prefix) {
    List<Slot> found = slots.stream().filter(slot -> slot.name().startsWith(prefix)).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException("no parameter starts with " + prefix);
    }
    long offset = found.get(0).offset();
    long count = found.stream().mapToLong(Slot::count).sum();
    Slot last = found.get(found.size() - 1);
    if (offset + count != last.offset() + last.count()) {
      throw new IllegalArgumentException("the parameters " + prefix + "* are not neighbours");
    }
    return new Range(offset, count);
  }

  /** A new set of leaves over this memory with a gradient buffer of its own. */
  public Replica replica() {
    return new Replica(this);
  }

  @Override
  public void close() {
    values.close();
  }

  private Affine affine(List<Linear> maps) {
    List<Affine.Part> parts = new ArrayList<>();
    for (Linear map : maps) {
      Slot weight = slots.get(map.weight());
      int bias =
          map.bias() == Linear.NO_BIAS ? Affine.Part.NONE : (int) slots.get(map.bias()).offset();
      parts.add(
          new Affine.Part(
              Math.toIntExact(weight.shape().get(0)), Math.toIntExact(weight.offset()), bias));
    }
    long inputs = slots.get(maps.get(0).weight()).shape().get(1);
    return new Affine(Math.toIntExact(inputs), parts);
  }

  /**
   * The parameters as one thread differentiates them: leaves for libtorch, affine maps for the
   * kernels, and one gradient for both. Several threads may evaluate at once, if nobody
   * differentiates.
   */
  public static final class Replica implements AutoCloseable {
    private final Tensor values;
    private final Tensor gradient;
    private final List<Slot> slots;
    private final List<Affine> affines;
    private final float[] flat;
    private final float[] gathered;
    private long version = -1;
    private final List<Tensor> leaves = new ArrayList<>();
    private final Workspace workspace = new Workspace();

    private Replica(Parameters parameters) {
      values = parameters.values;
      slots = parameters.slots;
      affines = parameters.affines.stream().map(parameters::affine).toList();
      flat = new float[Math.toIntExact(values.count())];
      gathered = new float[flat.length];
      try (Scope scope = Scope.open()) {
        gradient = parameters.values.mul(0).retain();
        for (Slot slot : parameters.slots) {
          Range range = new Range(slot.offset(), slot.count());
          Tensor leaf = range.of(parameters.values).reshape(slot.dimensions()).detach();
          leaf.requireGradient();
          leaf.accumulateGradientInto(range.of(gradient).reshape(slot.dimensions()));
          leaves.add(leaf.retain());
        }
      }
    }

    /** The leaf of one slot. */
    public Tensor get(int slot) {
      return leaves.get(slot);
    }

    /** A map that was declared with {@link Builder#affine}. */
    Affine affine(int index) {
      return affines.get(index);
    }

    /** Brings the affine maps up to date if the parameters have changed since the last time. */
    synchronized void refresh() {
      long now = values.version();
      if (now != version) {
        try (Scope scope = Scope.open()) {
          values.copyTo(flat, 0);
        }
        affines.forEach(affine -> affine.read(flat));
        version = now;
      }
    }

    /** The numbers of a slot that no affine map holds, as of the last evaluation. */
    float[] numbers(int slot) {
      Slot where = slots.get(slot);
      int from = Math.toIntExact(where.offset());
      return Arrays.copyOfRange(flat, from, from + Math.toIntExact(where.count()));
    }

    /** Keeps the gradient of a slot that no affine map holds until {@link #setGradients()}. */
    void keepGradient(int slot, float[] values) {
      System.arraycopy(values, 0, gathered, (int) slots.get(slot).offset(), values.length);
    }

    /** Adds the gradients of the affine maps to those that tensors left in {@link #gradient()}. */
    void addGradients() {
      Arrays.fill(gathered, 0);
      affines.forEach(affine -> affine.moveGradient(gathered));
      gradient.addInPlace(Tensor.of(gathered, gathered.length));
    }

    /** Makes those of the affine maps, and those that were kept, all of {@link #gradient()}. */
    void setGradients() {
      affines.forEach(affine -> affine.moveGradient(gathered));
      gradient.overwrite(gathered);
    }

    /** Rows for the passes of the one thread that differentiates with this replica. */
    public Workspace workspace() {
      return workspace;
    }

    /** The flat gradient into which backward passes add. */
    public Tensor gradient() {
      return gradient;
    }

    @Override
    public void close() {
      leaves.forEach(Tensor::close);
      gradient.close();
    }
  }

  /** Declares parameters one by one and draws their initial values. */
  public static final class Builder {
    private final long seed;
    private final List<Slot> slots = new ArrayList<>();
    private final List<float[]> initial = new ArrayList<>();
    private final List<List<Linear>> affines = new ArrayList<>();
    private long size;

    public Builder(long seed) {
      this.seed = seed;
    }

    /** Adds a tensor; the initialiser gets a random stream that belongs to the name alone. */
    public int add(String name, Initializer initializer, long... shape) {
      List<Long> dimensions = new ArrayList<>();
      long count = 1;
      for (long dimension : shape) {
        dimensions.add(dimension);
        count *= dimension;
      }
      initial.add(initializer.draw(RandomStream.of(seed, "parameter/" + name, 0), shape));
      slots.add(new Slot(name, List.copyOf(dimensions), size, count));
      size += count;
      return slots.size() - 1;
    }

    /**
     * Declares one map of slots, or several of the same input whose outputs lie side by side, for
     * the kernels.
     */
    int affine(List<Linear> maps) {
      affines.add(List.copyOf(maps));
      return affines.size() - 1;
    }

    public Parameters build() {
      float[] flat = new float[Math.toIntExact(size)];
      for (int i = 0; i < slots.size(); i++) {
        System.arraycopy(
            initial.get(i), 0, flat, (int) slots.get(i).offset(), initial.get(i).length);
      }
      try (Scope scope = Scope.open()) {
        return new Parameters(
            List.copyOf(slots), List.copyOf(affines), Tensor.of(flat, flat.length).retain());
      }
    }
  }
}
