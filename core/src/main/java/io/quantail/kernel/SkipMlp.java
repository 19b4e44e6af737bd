package io.quantail.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Two layers beside a linear path: {@code y = act(W2 act(W1 x + b1) + b2) + Ws x}.
 *
 * @param firstAndSkip the maps W1 and Ws of the input, side by side
 * @param second the map W2
 * @param nonlinearity act
 */
public record SkipMlp(AffineMap firstAndSkip, AffineMap second, ActivationFunction nonlinearity)
    implements FeedForward {

  @Override
  public FeedForward.Trace prepare(Workspace workspace, float[][] x, int rows) {
    int width = second.outputs();
    float[][] both = workspace.rows(rows, 2 * width);
    return new Trace(
        this,
        x,
        workspace.rows(rows, width),
        workspace.rows(rows, width),
        workspace.rows(rows, width),
        workspace.rows(rows, width),
        both,
        new float[width]);
  }

  /**
   * Results of a forward pass that the backward pass needs, one entry per row.
   *
   * @param x input
   * @param firstSlope derivative of the first layer's nonlinearity
   * @param first its output
   * @param secondSlope derivative of the second layer's nonlinearity
   * @param y output
   * @param both sums of the first layer and of the linear path, side by side
   * @param skip scratch for the linear path of a row
   */
  private record Trace(
      SkipMlp layers,
      float[][] x,
      float[][] firstSlope,
      float[][] first,
      float[][] secondSlope,
      float[][] y,
      float[][] both,
      float[] skip)
      implements FeedForward.Trace {

    @Override
    public void run() {
      int rows = y.length;
      int width = skip.length;
      layers.firstAndSkip.apply(both, x, rows);
      for (int row = 0; row < rows; row++) {
        System.arraycopy(both[row], 0, firstSlope[row], 0, width);
        layers.nonlinearity.applyWithSlope(first[row], firstSlope[row]);
      }
      layers.second.apply(secondSlope, first, rows);
      for (int row = 0; row < rows; row++) {
        layers.nonlinearity.applyWithSlope(y[row], secondSlope[row]);
        System.arraycopy(both[row], width, skip, 0, width);
        FloatVectors.add(y[row], skip);
      }
    }

    @Override
    public float @Nullable [][] backward(Workspace workspace, float[][] dy, boolean inputGradient) {
      int rows = dy.length;
      float[][] dBoth = throughLayers(workspace, dy);
      layers.second.addGradient(workspace, dy, first, rows);
      layers.firstAndSkip.addGradient(workspace, dBoth, x, rows);
      return inputGradient ? layers.firstAndSkip.inputGradient(workspace, dBoth, rows) : null;
    }

    @Override
    public float[][] inputGradient(Workspace workspace, float[][] dy) {
      return layers.firstAndSkip.inputGradient(workspace, throughLayers(workspace, dy), dy.length);
    }

    /** Turns dy into the gradient of the second sum; returns that of the first sum and the skip. */
    private float[][] throughLayers(Workspace workspace, float[][] dy) {
      int rows = dy.length;
      int width = layers.second.outputs();
      float[][] dBoth = workspace.rows(rows, 2 * width);
      for (int row = 0; row < rows; row++) {
        System.arraycopy(dy[row], 0, dBoth[row], width, width);
        FloatVectors.multiply(dy[row], dy[row], secondSlope[row]);
      }
      float[][] dFirst = layers.second.inputGradient(workspace, dy, rows);
      for (int row = 0; row < rows; row++) {
        FloatVectors.multiply(dFirst[row], dFirst[row], firstSlope[row]);
        System.arraycopy(dFirst[row], 0, dBoth[row], 0, width);
      }
      return dBoth;
    }
  }
}
