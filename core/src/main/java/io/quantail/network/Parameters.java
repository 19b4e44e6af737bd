package io.quantail.network;

import io.quantail.kernel.PackedWeights;
import io.quantail.parallel.ChunkedRange;
import io.quantail.parallel.ParallelLoop;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All trainable parameters of a network in one flat vector.
 *
 * <p>Optimisers, clipping and snapshots work on it as a whole and in place. Networks read it
 * through {@linkplain #replica() replicas}, each with its own gradient, so that several threads can
 * run backward passes at once.
 */
public final class Parameters implements Restorable {

  /** One named tensor inside the flat vector. */
  public record Slot(String name, List<Long> shape, long offset, long count) {
    /** The shape as an array. */
    public long[] dimensions() {
      return shape.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** A contiguous part of the flat vector. */
  public record Range(long offset, long count) {
    /** Whether a slot lies in this part; slots are never split. */
    public boolean holds(Slot slot) {
      return slot.offset() >= offset && slot.offset() < offset + count;
    }

    /** A copy of the part of a flat vector (values, gradient, moments) that this range covers. */
    public float[] of(float[] flat) {
      return Arrays.copyOfRange(flat, Math.toIntExact(offset), Math.toIntExact(offset + count));
    }
  }

  /** Size of a part: it stays in the nearest cache while several loops read it. */
  private static final int PART = 1 << 12;

  /** The numbers [from, to), all of one slot. */
  public record Part(Slot slot, int from, int to) {}

  private final ParameterLayout layout;
  private final List<Slot> slots;
  private final List<PackedWeights> weights;
  private final float[] values;
  private final List<Part> parts = new ArrayList<>();
  private final List<Consumer<float[]>> copies = new ArrayList<>(); // copies each part into its map
  private volatile long version;
  private volatile long read = -1; // the version that the maps hold

  Parameters(ParameterLayout layout, float[] values) {
    this.layout = layout;
    this.slots = layout.slots();
    this.weights = layout.weights();
    this.values = values;
    splitIntoParts();
  }

  private void splitIntoParts() {
    Map<Long, Slot> left = new LinkedHashMap<>(); // by offset
    slots.forEach(slot -> left.put(slot.offset(), slot));
    @Nullable Slot slot = null; // its rows come one behind the other
    for (PackedWeights map : weights) {
      for (PackedWeights.Rows rows : map.rows(PART)) {
        slot = left.containsKey((long) rows.from()) ? left.remove((long) rows.from()) : slot;
        parts.add(new Part(Objects.requireNonNull(slot), rows.from(), rows.to()));
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
   * The flat vector itself, in the order of declaration, to be read only; {@link #change} writes.
   */
  public float[] values() {
    return values;
  }

  /** Lets a writer change the numbers; replicas use them from their next evaluation on. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, several read
  public void change(Consumer<float[]> writer) {
    writer.accept(values);
    version++;
  }

  /**
   * Lets a writer change all numbers part by part. Each changed part is copied to the replicas at
   * once, while it is in the cache.
   *
   * @param loop runs the parts
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, several read
  public void change(ParallelLoop loop, BiConsumer<float[], ChunkedRange> writer) {
    writer.accept(
        values,
        task -> {
          loop.each(
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

  /** Increases with every change. */
  long version() {
    return version;
  }

  /** Replaces all numbers. */
  public void set(float[] numbers) {
    if (numbers.length != values.length) {
      throw new IllegalArgumentException(
          "the network has " + values.length + " parameters, was given " + numbers.length);
    }
    change(own -> System.arraycopy(numbers, 0, own, 0, own.length));
  }

  /** Writes each tensor under its name. */
  @Override
  public void save(StateMap state) {
    for (Slot slot : slots) {
      state.putFloats(
          slot.name(), new Range(slot.offset(), slot.count()).of(values), slot.dimensions());
    }
  }

  @Override
  public Runnable restoring(StateMap state) {
    float[] flat = new float[values.length];
    for (Slot slot : slots) {
      float[] saved = state.floats(slot.name(), slot.dimensions());
      System.arraycopy(saved, 0, flat, (int) slot.offset(), saved.length);
    }
    return () -> set(flat);
  }

  /** All slots in the order of declaration. */
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

  /** The network's layers on these parameters, with a gradient of their own. */
  public ParameterReplica replica() {
    return replica(ParallelLoop.ALONE);
  }

  /**
   * The network's layers on these parameters, with a gradient of their own.
   *
   * @param loop runs the chunks of large products
   */
  public ParameterReplica replica(ParallelLoop loop) {
    return new ParameterReplica(this, layout, loop);
  }

  /**
   * Copies changed parameters into all affine maps. Every evaluation calls it; calling it before
   * several threads evaluate lets them share the work.
   *
   * @param loop runs the parts
   */
  public void refresh(ParallelLoop loop) {
    if (read != version) {
      readWeights(loop);
    }
  }

  private synchronized void readWeights(ParallelLoop loop) {
    long now = version;
    if (read != now) {
      loop.each(copies.size(), part -> copies.get(part).accept(values));
      weights.forEach(map -> map.readBias(values));
      read = now;
    }
  }
}
