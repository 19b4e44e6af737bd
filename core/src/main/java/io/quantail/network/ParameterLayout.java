package io.quantail.network;

import io.quantail.kernel.AffineMap;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.PackedWeights;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Declares the parameters of a network one by one, with their initial values and the layers that
 * use them.
 *
 * <p>The order of declaration is the order in the flat vector of {@link Parameters}.
 */
public final class ParameterLayout {
  private final long seed;
  private final List<Parameters.Slot> slots = new ArrayList<>();
  private final List<float[]> initial = new ArrayList<>();
  private final List<PackedWeights> weights = new ArrayList<>();
  private final Set<Integer> mapped = new HashSet<>(); // slots of all affine maps
  private final List<Function<List<AffineMap>, LstmLayer>> lstm = new ArrayList<>();
  private final List<Function<List<AffineMap>, FeedForward>> feedForward = new ArrayList<>();
  private long size;

  /**
   * The slots of an affine map {@code x W^T + b}.
   *
   * @param weight slot of W, [output, input]
   * @param bias slot of b, or {@link #NO_BIAS}
   */
  public record Linear(int weight, int bias) {
    static final int NO_BIAS = -1;
  }

  /**
   * @param seed of the run, from which initial values are drawn
   */
  public ParameterLayout(long seed) {
    this.seed = seed;
  }

  /** Adds a tensor; the initialiser gets a random stream that belongs to the name alone. */
  public int add(String name, WeightInitializer initializer, long... shape) {
    List<Long> dimensions = new ArrayList<>();
    long count = 1;
    for (long dimension : shape) {
      dimensions.add(dimension);
      count *= dimension;
    }
    initial.add(initializer.draw(RandomStream.of(seed, "parameter/" + name, 0), shape));
    slots.add(new Parameters.Slot(name, List.copyOf(dimensions), size, count));
    size += count;
    return slots.size() - 1;
  }

  /** Adds weight and bias of an affine map: an orthogonal matrix times a gain, and zeros. */
  public Linear addLinear(String name, int inputs, int outputs, double gain) {
    return addLinear(name, inputs, new double[outputs], gain);
  }

  /** The same with a given bias of each output. */
  public Linear addLinear(String name, int inputs, double[] bias, double gain) {
    return new Linear(
        add(name + ".weight", WeightInitializer.orthogonal(gain), bias.length, inputs),
        add(name + ".bias", WeightInitializer.of(bias), bias.length));
  }

  /**
   * Declares one affine map, or several of the same input whose outputs lie side by side.
   *
   * @return its index among all maps
   */
  public int affine(List<Linear> maps) {
    return affineOf(List.of(maps));
  }

  /** Declares the sum of such maps, each of an input of its own. */
  int affineOf(List<List<Linear>> inputs) {
    weights.add(new PackedWeights(inputs.stream().map(this::input).toList()));
    return weights.size() - 1;
  }

  private PackedWeights.Input input(List<Linear> maps) {
    List<PackedWeights.Part> parts = new ArrayList<>();
    for (Linear map : maps) {
      mapped.add(map.weight());
      mapped.add(map.bias());
      Parameters.Slot weight = slots.get(map.weight());
      int bias =
          map.bias() == Linear.NO_BIAS
              ? PackedWeights.Part.NONE
              : (int) slots.get(map.bias()).offset();
      parts.add(
          new PackedWeights.Part(
              Math.toIntExact(weight.shape().get(0)), Math.toIntExact(weight.offset()), bias));
    }
    long inputs = slots.get(maps.get(0).weight()).shape().get(1);
    return new PackedWeights.Input(Math.toIntExact(inputs), parts);
  }

  /**
   * Declares an LSTM layer.
   *
   * @param layer builds it from all affine maps of a replica
   */
  void lstm(Function<List<AffineMap>, LstmLayer> layer) {
    lstm.add(layer);
  }

  /**
   * Declares feed-forward layers.
   *
   * @param layers builds them from all affine maps of a replica
   * @return their index
   */
  public int feedForward(Function<List<AffineMap>, FeedForward> layers) {
    feedForward.add(layers);
    return feedForward.size() - 1;
  }

  /** All parameters with their initial values. */
  public Parameters build() {
    float[] flat = new float[Math.toIntExact(size)];
    for (int i = 0; i < slots.size(); i++) {
      System.arraycopy(initial.get(i), 0, flat, (int) slots.get(i).offset(), initial.get(i).length);
    }
    return new Parameters(this, flat);
  }

  List<Parameters.Slot> slots() {
    return List.copyOf(slots);
  }

  List<PackedWeights> weights() {
    return List.copyOf(weights);
  }

  /** The slots that no affine map uses. */
  List<Parameters.Slot> unmapped() {
    return IntStream.range(0, slots.size())
        .filter(slot -> !mapped.contains(slot))
        .mapToObj(slots::get)
        .toList();
  }

  /** The LSTM layers on the affine maps of a replica. */
  List<LstmLayer> lstmLayers(List<AffineMap> maps) {
    return lstm.stream().map(layer -> layer.apply(maps)).toList();
  }

  /** The feed-forward layers on the affine maps of a replica. */
  List<FeedForward> feedForwardLayers(List<AffineMap> maps) {
    return feedForward.stream().map(layers -> layers.apply(maps)).toList();
  }
}
