package io.quantail.simd;

import static io.quantail.simd.VectorLanes.COUNT;
import static io.quantail.simd.VectorLanes.all;
import static io.quantail.simd.VectorLanes.load;
import static io.quantail.simd.VectorMath.tanh;

import jdk.incubator.vector.FloatVector;

/**
 * The LSTM cell on the activated gates of a row, without copying each gate first.
 *
 * <p>Vector form, with the same bits, of the loops in {@code io.quantail.kernel.LstmGates}; gates
 * in the order input, forget, cell, output. The width must be a multiple of eight.
 */
public final class LstmGateLoops {
  private LstmGateLoops() {}

  /** Whether a layer of this width can be computed. */
  public static boolean fit(int width) {
    return width % COUNT == 0;
  }

  /** {@code cell = f before + i g}, {@code squashed = tanh(cell)}, {@code hidden = o squashed}. */
  public static void forward(
      float[] gates, float[] before, float[] cell, float[] squashed, float[] hidden) {
    int width = cell.length;
    for (int j = 0; j < width; j += COUNT) {
      FloatVector written = load(gates, j).mul(load(gates, 2 * width + j));
      FloatVector next = load(gates, width + j).fma(load(before, j), written);
      FloatVector t = tanh(next);
      next.intoArray(cell, j);
      t.intoArray(squashed, j);
      load(gates, 3 * width + j).mul(t).intoArray(hidden, j);
    }
  }

  /**
   * Backpropagates through the cell.
   *
   * @param gates activated gates; become the gradient of their sums
   * @param before cell state before the row
   * @param squashed hyperbolic tangent of the cell state after the row
   * @param dHidden gradient of the hidden state after the row
   * @param dCell gradient of the cell state after the row; becomes that before it
   */
  public static void backward(
      float[] gates, float[] before, float[] squashed, float[] dHidden, float[] dCell) {
    int width = dCell.length;
    FloatVector one = all(1);
    FloatVector zero = all(0);
    for (int j = 0; j < width; j += COUNT) {
      FloatVector in = load(gates, j);
      FloatVector forget = load(gates, width + j);
      FloatVector candidate = load(gates, 2 * width + j);
      FloatVector out = load(gates, 3 * width + j);
      FloatVector t = load(squashed, j);
      FloatVector dh = load(dHidden, j);
      FloatVector dc = dh.mul(out).fma(one.sub(t.mul(t)), load(dCell, j));
      dc.mul(candidate).mul(in.fma(one.sub(in), zero)).intoArray(gates, j);
      dc.mul(load(before, j)).mul(forget.fma(one.sub(forget), zero)).intoArray(gates, width + j);
      dc.mul(in).mul(candidate.fma(zero.sub(candidate), one)).intoArray(gates, 2 * width + j);
      dh.mul(t).mul(out.fma(one.sub(out), zero)).intoArray(gates, 3 * width + j);
      dc.mul(forget).intoArray(dCell, j);
    }
  }
}
