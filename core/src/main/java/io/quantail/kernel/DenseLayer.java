package io.quantail.kernel;

import org.jspecify.annotations.Nullable;

/**
 * One layer: {@code y = act(W x + b)}.
 *
 * @param map the map W
 * @param nonlinearity act
 */
public record DenseLayer(AffineMap map, ActivationFunction nonlinearity) implements FeedForward {

  @Override
  public FeedForward.Trace prepare(Workspace workspace, float[][] x, int rows) {
    return new Trace(
        this, x, workspace.rows(rows, map.outputs()), workspace.rows(rows, map.outputs()));
  }

  /**
   * Results of a forward pass that the backward pass needs, one entry per row.
   *
   * @param x input
   * @param slope derivative of the nonlinearity
   * @param y output
   */
  private record Trace(DenseLayer layer, float[][] x, float[][] slope, float[][] y)
      implements FeedForward.Trace {

    @Override
    public void run() {
      int rows = y.length;
      layer.map.apply(slope, x, rows);
      for (int row = 0; row < rows; row++) {
        layer.nonlinearity.applyWithSlope(y[row], slope[row]);
      }
    }

    @Override
    public float @Nullable [][] backward(Workspace workspace, float[][] dy, boolean inputGradient) {
      throughNonlinearity(dy);
      layer.map.addGradient(workspace, dy, x, dy.length);
      return inputGradient ? layer.map.inputGradient(workspace, dy, dy.length) : null;
    }

    @Override
    public float[][] inputGradient(Workspace workspace, float[][] dy) {
      throughNonlinearity(dy);
      return layer.map.inputGradient(workspace, dy, dy.length);
    }

    private void throughNonlinearity(float[][] dy) {
      for (int row = 0; row < dy.length; row++) {
        FloatVectors.multiply(dy[row], dy[row], slope[row]);
      }
    }
  }
}
