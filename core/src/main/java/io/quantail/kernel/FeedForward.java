package io.quantail.kernel;

/** Layers without memory. */
public interface FeedForward {

  /** Applies the layers to the first {@code rows} rows of x. */
  Trace forward(Workspace workspace, float[][] x, int rows);

  /** What a forward pass leaves for the backward pass. */
  interface Trace {

    /** Output, one entry a row. */
    float[][] y();

    /**
     * Adds the gradients of the weights and returns that of the input.
     *
     * @param dy gradient of the output; it is overwritten
     * @return gradient of x, or null when it is not wanted
     */
    float[][] backward(Workspace workspace, float[][] dy, boolean inputGradient);

    /**
     * The gradient of the input alone; those of the weights stay as they are.
     *
     * @param dy gradient of the output; it is overwritten
     */
    float[][] inputGradient(Workspace workspace, float[][] dy);
  }
}
