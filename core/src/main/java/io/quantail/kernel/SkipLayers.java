package io.quantail.kernel;

/**
 * Two layers beside a linear path: {@code y = act(W2 act(W1 x + b1) + b2) + Ws x}.
 *
 * @param firstAndSkip the maps W1 and Ws of the input, side by side
 * @param second the map W2
 * @param nonlinearity act
 */
public record SkipLayers(Affine firstAndSkip, Affine second, Nonlinearity nonlinearity) {

  /**
   * What a forward pass leaves for the backward pass, one entry a row.
   *
   * @param x input
   * @param firstSlope derivative of the first layer's nonlinearity
   * @param first its output
   * @param secondSlope derivative of the second layer's nonlinearity
   * @param y output
   */
  public record Trace(
      float[][] x, float[][] firstSlope, float[][] first, float[][] secondSlope, float[][] y) {}

  private int width() {
    return second.outputs();
  }

  public Trace forward(Workspace workspace, float[][] x, int rows) {
    int width = width();
    float[][] both = workspace.rows(rows, 2 * width);
    firstAndSkip.apply(both, x, rows);
    Trace trace =
        new Trace(
            x,
            workspace.rows(rows, width),
            workspace.rows(rows, width),
            workspace.rows(rows, width),
            workspace.rows(rows, width));
    for (int row = 0; row < rows; row++) {
      System.arraycopy(both[row], 0, trace.firstSlope[row], 0, width);
      nonlinearity.applyWithSlope(trace.first[row], trace.firstSlope[row]);
    }
    second.apply(trace.secondSlope, trace.first, rows);
    float[] skip = new float[width];
    for (int row = 0; row < rows; row++) {
      nonlinearity.applyWithSlope(trace.y[row], trace.secondSlope[row]);
      System.arraycopy(both[row], width, skip, 0, width);
      Vectors.add(trace.y[row], skip);
    }
    return trace;
  }

  /**
   * Adds the gradients of the weights and returns that of the input.
   *
   * @param dy gradient of the output; it is overwritten
   * @return gradient of x, or null when it is not wanted
   */
  public float[][] backward(Workspace workspace, Trace trace, float[][] dy, boolean inputGradient) {
    int rows = dy.length;
    float[][] dBoth = throughLayers(workspace, trace, dy);
    second.addGradient(dy, trace.first, rows);
    firstAndSkip.addGradient(dBoth, trace.x, rows);
    return inputGradient ? throughInput(workspace, dBoth) : null;
  }

  /**
   * The gradient of the input alone; those of the weights stay as they are.
   *
   * @param dy gradient of the output; it is overwritten
   */
  public float[][] inputGradient(Workspace workspace, Trace trace, float[][] dy) {
    return throughInput(workspace, throughLayers(workspace, trace, dy));
  }

  /** Turns dy into the gradient of the second sum; returns that of the first sum and the skip. */
  private float[][] throughLayers(Workspace workspace, Trace trace, float[][] dy) {
    int rows = dy.length;
    int width = width();
    float[][] dBoth = workspace.rows(rows, 2 * width);
    for (int row = 0; row < rows; row++) {
      System.arraycopy(dy[row], 0, dBoth[row], width, width);
      Rows.multiply(dy[row], dy[row], trace.secondSlope[row]);
    }
    float[][] dFirst = workspace.zeros(rows, width);
    second.addInputGradient(dFirst, dy, rows);
    for (int row = 0; row < rows; row++) {
      Rows.multiply(dFirst[row], dFirst[row], trace.firstSlope[row]);
      System.arraycopy(dFirst[row], 0, dBoth[row], 0, width);
    }
    return dBoth;
  }

  private float[][] throughInput(Workspace workspace, float[][] dBoth) {
    float[][] dx = workspace.zeros(dBoth.length, firstAndSkip.inputs());
    firstAndSkip.addInputGradient(dx, dBoth, dBoth.length);
    return dx;
  }
}
