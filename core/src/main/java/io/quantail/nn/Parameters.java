package io.quantail.nn;

import io.quantail.kernel.Affine;
import io.quantail.kernel.Weights;
import io.quantail.kernel.Workspace;
import io.quantail.parallel.ChunkedRange;
import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * All trainable numbers of a network in one flat vector.
 *
 * <p>Optimisers, clipping and snapshots work on it as a whole and in place. Networks read it
 * through {@linkplain #replica() replicas}, which have gradients of their own, so that several
 * threads can run backward passes at once.
 */
public final class Parameters {

  /** One named tensor inside the flat vector. */
  public record Slot(String name, List<Long> shape, long offset, long count) {
    /** The shape as an array. */
    public long[] dimensions() {
      return shape.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** A contiguous part of the flat vector. */
  public record Range(long offset, long count) {
    /** Whether a slot lies in this part; it does so as a whole or not at all. */
    public boolean holds(Slot slot) {
      return slot.offset() >= offset && slot.offset() < offset + count;
    }

    /** A copy of the part of a flat vector (values, gradient, moments) that this range covers. */
    public float[] of(float[] flat) {
      return Arrays.copyOfRange(flat, Math.toIntExact(offset), Math.toIntExact(offset + count));
    }
  }

  /** Numbers that stay in the nearest cache while several things are done with them. */
  private static final int PART = 1 << 12;

  /** The numbers [from, to), all of one slot. */
  public record Part(Slot slot, int from, int to) {}

  private final List<Slot> slots;
  private final List<Weights> weights;
  private final List<Slot> single; // in no affine map
  private final float[] values;
  private final List<Part> parts = new ArrayList<>();
  private final List<Consumer<float[]>> copies = new ArrayList<>(); // what maps read of each part
  private volatile long version;
  private volatile long read = -1; // the version that the weights have

  private Parameters(List<Slot> slots, List<Weights> weights, List<Slot> single, float[] values) {
    this.slots = slots;
    this.weights = weights;
    this.single = single;
    this.values = values;
    cutIntoParts();
  }

  private void cutIntoParts() {
    Map<Long, Slot> left = new LinkedHashMap<>(); // by offset
    slots.forEach(slot -> left.put(slot.offset(), slot));
    Slot slot = null; // its rows come one behind the other
    for (Weights map : weights) {
      for (Weights.Rows rows : map.rows(PART)) {
        slot = left.containsKey((long) rows.from()) ? left.remove((long) rows.from()) : slot;
        parts.add(new Part(slot, rows.from(), rows.to()));
        copies.add(numbers -> map.read(numbers, rows));
      }
    }
    for (Slot other : left.values()) {
      parts.add(new Part(other, (int) other.offset(), (int) (other.offset() + other.count())));
      copies.add(numbers -> {});
    }
  }

  /** All numbers in parts, each of them in one. */
  public List<Part> parts() {
    return parts;
  }

  /**
   * Every number, in the order in which the network declared them: the numbers themselves, to be
   * read. Who wants to write calls {@link #change}.
   */
  public float[] values() {
    return values;
  }

  /** Lets a writer change the numbers; replicas take them up with their next evaluation. */
  public void change(Consumer<float[]> writer) {
    writer.accept(values);
    version++;
  }

  /**
   * Lets a writer change all numbers on a walk through the parts. What the replicas have of a part
   * is brought up to date as soon as it has been changed, while it is in the cache.
   *
   * @param team does the parts
   */
  public void change(ParallelLoop team, BiConsumer<float[], ChunkedRange> writer) {
    writer.accept(
        values,
        task -> {
          team.each(
              parts.size(),
              part -> {
                task.accept(parts.get(part).from, parts.get(part).to);
                copies.get(part).accept(values);
              });
          weights.forEach(map -> map.readBias(values));
          read = version + 1;
        });
    version++;
  }

  /** Replaces all numbers. */
  public void set(float[] numbers) {
    if (numbers.length != values.length) {
      throw new IllegalArgumentException(
          "the network has " + values.length + " parameters, was given " + numbers.length);
    }
    change(own -> System.arraycopy(numbers, 0, own, 0, own.length));
  }

  public List<Slot> slots() {
    return slots;
  }

  /** The part that one slot covers. */
  public Range range(int slot) {
    return new Range(slots.get(slot).offset(), slots.get(slot).count());
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

  /** A new reader of these numbers with a gradient of its own. */
  public Replica replica() {
    return replica(ParallelLoop.ALONE);
  }

  /**
   * A new reader whose large products are shared.
   *
   * @param team does their parts
   */
  public Replica replica(ParallelLoop team) {
    return new Replica(this, team);
  }

  /**
   * Brings the weights of all affine maps up to date if the numbers have changed since the last
   * time. Whoever evaluates calls it; it pays to call it before several threads do.
   *
   * @param team does the parts
   */
  public void refresh(ParallelLoop team) {
    if (read != version) {
      readWeights(team);
    }
  }

  private synchronized void readWeights(ParallelLoop team) {
    long now = version;
    if (read != now) {
      team.each(copies.size(), part -> copies.get(part).accept(values));
      weights.forEach(map -> map.readBias(values));
      read = now;
    }
  }

  /**
   * The parameters as one thread differentiates them: affine maps for the kernels and their
   * gradient. Several threads may evaluate at once, if nobody differentiates.
   */
  public static final class Replica {
    private final Parameters parameters;
    private final ParallelLoop team;
    private final List<Affine> affines;
    private final float[] gradient;
    private final Workspace workspace = new Workspace();

    private Replica(Parameters parameters, ParallelLoop team) {
      this.parameters = parameters;
      this.team = team;
      gradient = new float[parameters.values.length];
      affines =
          parameters.weights.stream().map(weights -> new Affine(weights, gradient, team)).toList();
    }

    /** A map that was declared with {@link Builder#affine}. */
    Affine affine(int index) {
      return affines.get(index);
    }

    void refresh() {
      parameters.refresh(team);
    }

    /** A copy of the numbers of a slot. */
    float[] numbers(int slot) {
      return parameters.range(slot).of(parameters.values);
    }

    /** Adds to the gradient of a slot that no affine map holds. */
    void addGradient(int slot, float[] numbers) {
      int from = (int) parameters.slots.get(slot).offset();
      for (int i = 0; i < numbers.length; i++) {
        gradient[from + i] += numbers[i];
      }
    }

    /** Rows for the passes of the one thread that differentiates with this replica. */
    public Workspace workspace() {
      return workspace;
    }

    /** The flat gradient itself, to which backward passes add. */
    public float[] gradient() {
      affines.forEach(Affine::settleGradient);
      return gradient;
    }

    /** Makes the gradient zero. */
    public void clearGradient() {
      for (Slot slot : parameters.single) {
        Arrays.fill(gradient, (int) slot.offset(), (int) (slot.offset() + slot.count()), 0);
      }
      affines.forEach(Affine::clearGradient);
    }
  }

  /** Declares parameters one by one and draws their initial values. */
  public static final class Builder {
    private final long seed;
    private final List<Slot> slots = new ArrayList<>();
    private final List<float[]> initial = new ArrayList<>();
    private final List<Weights> weights = new ArrayList<>();
    private final Set<Integer> mapped = new HashSet<>(); // slots that some affine map has
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
      return affineOf(List.of(maps));
    }

    /** Declares the sum of such maps, each of an input of its own. */
    int affineOf(List<List<Linear>> inputs) {
      weights.add(new Weights(inputs.stream().map(this::input).toList()));
      return weights.size() - 1;
    }

    private Weights.Input input(List<Linear> maps) {
      List<Weights.Part> parts = new ArrayList<>();
      for (Linear map : maps) {
        mapped.add(map.weight());
        mapped.add(map.bias());
        Slot weight = slots.get(map.weight());
        int bias =
            map.bias() == Linear.NO_BIAS ? Weights.Part.NONE : (int) slots.get(map.bias()).offset();
        parts.add(
            new Weights.Part(
                Math.toIntExact(weight.shape().get(0)), Math.toIntExact(weight.offset()), bias));
      }
      long size = slots.get(maps.get(0).weight()).shape().get(1);
      return new Weights.Input(Math.toIntExact(size), parts);
    }

    public Parameters build() {
      float[] flat = new float[Math.toIntExact(size)];
      for (int i = 0; i < slots.size(); i++) {
        System.arraycopy(
            initial.get(i), 0, flat, (int) slots.get(i).offset(), initial.get(i).length);
      }
      List<Slot> single =
          IntStream.range(0, slots.size())
              .filter(slot -> !mapped.contains(slot))
              .mapToObj(slots::get)
              .toList();
      return new Parameters(List.copyOf(slots), List.copyOf(weights), single, flat);
    }
  }
}
