package io.quantail.network;

import io.quantail.kernel.AffineMap;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.Workspace;
import io.quantail.parallel.ParallelLoop;
import java.util.Arrays;
import java.util.List;

/**
 * The layers of a network on shared {@link Parameters}, with a gradient of their own.
 *
 * <p>One thread at a time runs backward passes. Several threads may evaluate at once while no
 * thread runs a backward pass.
 */
public final class ParameterReplica {
  private final Parameters parameters;
  private final ParallelLoop loop;
  private final float[] gradient;
  private final List<AffineMap> affines;
  private final List<LstmLayer> lstm;
  private final List<FeedForward> feedForward;
  private final List<Parameters.Slot> unmapped;
  private final Workspace workspace = new Workspace();

  ParameterReplica(Parameters parameters, ParameterLayout layout, ParallelLoop loop) {
    this.parameters = parameters;
    this.loop = loop;
    gradient = new float[parameters.values().length];
    affines =
        layout.weights().stream().map(weights -> new AffineMap(weights, gradient, loop)).toList();
    lstm = layout.lstmLayers(affines);
    feedForward = layout.feedForwardLayers(affines);
    unmapped = layout.unmapped();
  }

  /** A map that was declared with {@link ParameterLayout#affine}. */
  public AffineMap affine(int index) {
    return affines.get(index);
  }

  /** A layer that was declared with {@link ParameterLayout#lstm}. */
  LstmLayer lstm(int index) {
    return lstm.get(index);
  }

  /** Layers that were declared with {@link ParameterLayout#feedForward}. */
  public FeedForward feedForward(int index) {
    return feedForward.get(index);
  }

  /** Changes with the parameters. */
  public long version() {
    return parameters.version();
  }

  /** Makes changed parameters visible to the layers. */
  public void refresh() {
    parameters.refresh(loop);
  }

  /** A copy of the numbers of a slot. */
  float[] numbers(int slot) {
    return parameters.range(slot).of(parameters.values());
  }

  /** Adds to the gradient of a slot that no affine map uses. */
  void addGradient(int slot, float[] numbers) {
    int from = (int) parameters.slots().get(slot).offset();
    for (int i = 0; i < numbers.length; i++) {
      gradient[from + i] += numbers[i];
    }
  }

  /** Scratch rows for the passes of the thread that runs backward passes. */
  public Workspace workspace() {
    return workspace;
  }

  /** The flat gradient itself, to which backward passes add. */
  public float[] gradient() {
    affines.forEach(AffineMap::settleGradient);
    return gradient;
  }

  /** Sets the gradient to zero. */
  public void clearGradient() {
    for (Parameters.Slot slot : unmapped) {
      Arrays.fill(gradient, (int) slot.offset(), (int) (slot.offset() + slot.count()), 0);
    }
    affines.forEach(AffineMap::clearGradient);
  }
}
