package io.quantail.kernel;

import org.jspecify.annotations.Nullable;

/** Feed-forward layers. */
public interface FeedForward {

  /** Applies the layers to the first {@code rows} rows of x. */
  Trace forward(Workspace workspace, float[][] x, int rows);

  /** Results of a forward pass that the backward pass needs. */
  interface Trace {

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
