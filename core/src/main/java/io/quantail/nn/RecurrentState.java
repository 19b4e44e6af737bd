package io.quantail.nn;

import io.quantail.tensor.Tensor;

/**
 * What the memories hold between two steps, one column an environment.
 *
 * @param hidden hidden state, [memory and layer, environment, width]
 * @param cell cell state, same shape
 */
public record RecurrentState(Tensor hidden, Tensor cell) implements AutoCloseable {

  /** The state at the start of an episode. */
  public static RecurrentState zeros(int slots, int environments, int width) {
    return new RecurrentState(
        Tensor.zeros(slots, environments, width), Tensor.zeros(slots, environments, width));
  }

  /** A state with the given numbers. */
  public static RecurrentState of(
      float[] hidden, float[] cell, int slots, int environments, int width) {
    return new RecurrentState(
        Tensor.of(hidden, slots, environments, width), Tensor.of(cell, slots, environments, width));
  }

  /** This state with the columns of the environments that start an episode set to zero. */
  public RecurrentState startEpisodes(boolean[] starts) {
    float[] keep = new float[starts.length];
    for (int i = 0; i < starts.length; i++) {
      keep[i] = starts[i] ? 0f : 1f;
    }
    Tensor mask = Tensor.of(keep, 1, starts.length, 1);
    return new RecurrentState(hidden.mul(mask), cell.mul(mask));
  }

  /** Keeps both tensors beyond their scope; the caller must close this. */
  public RecurrentState retain() {
    hidden.retain();
    cell.retain();
    return this;
  }

  @Override
  public void close() {
    hidden.close();
    cell.close();
  }
}
