package io.quantail.kernel;

import org.jspecify.annotations.Nullable;

/** Feed-forward layers. */
public interface FeedForward {

  /** Applies the layers to the first {@code rows} rows of x. */
  default Trace forward(Workspace workspace, float[][] x, int rows) {
    Trace trace = prepare(workspace, x, rows);
    trace.run();
    return trace;
  }

  /**
   * Makes a forward pass over the first {@code rows} rows of x, which are read when it runs. It may
   * run several times and then allocates nothing.
   */
  Trace prepare(Workspace workspace, float[][] x, int rows);

  /** A forward pass, with the results that the backward pass needs. */
  interface Trace {

    /** Applies the layers; the results of an earlier run are overwritten. */
    void run();

    /** The output, one entry per row. */
    float[][] y();

    /**
     * Adds the gradients of the weights and returns that of the input.
     *
     * @param dy gradient of the output; it is overwritten
     * @return gradient of x, or null if it is not needed
     */
    float @Nullable [][] backward(Workspace workspace, float[][] dy, boolean inputGradient);

    /**
     * The gradient of the input alone; those of the weights stay unchanged.
     *
     * @param dy gradient of the output; it is overwritten
     */
    float[][] inputGradient(Workspace workspace, float[][] dy);
  }
}
