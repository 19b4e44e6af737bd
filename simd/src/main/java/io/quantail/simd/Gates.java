package io.quantail.simd;

import static io.quantail.simd.Lanes.COUNT;
import static io.quantail.simd.Lanes.all;
import static io.quantail.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/**
 * One row of an LSTM: from the sums of the gates to the next state, and back, without copies.
 *
 * <p>The twin of {@code io.quantail.kernel.LstmGates}; gates in the order input, forget, cell,
 * output. The width must be a multiple of eight.
 */
public final class Gates {
  private Gates() {}

  /** Whether a layer of this width can be walked through. */
  public static boolean fit(int width) {
    return width % COUNT == 0;
  }

  /**
   * @param gates sums; become activated gates
   * @param before cell state before the row
   * @param cell receives the cell state after the row, {@code f c + i g}
   * @param squashed receives its tangent
   * @param hidden receives {@code o tanh(c)}
   */
  public static void forward(
      float[] gates, float[] before, float[] cell, float[] squashed, float[] hidden) {
    int width = cell.length;
    for (int j = 0; j < width; j += COUNT) {
      FloatVector in = VectorTanh.sigmoid(load(gates, j));
      FloatVector forget = VectorTanh.sigmoid(load(gates, width + j));
      FloatVector candidate = VectorTanh.of(load(gates, 2 * width + j)).add(0f); // no negative zero
      FloatVector out = VectorTanh.sigmoid(load(gates, 3 * width + j));
      in.intoArray(gates, j);
      forget.intoArray(gates, width + j);
      candidate.intoArray(gates, 2 * width + j);
      out.intoArray(gates, 3 * width + j);
      FloatVector after = forget.fma(load(before, j), in.mul(candidate));
      FloatVector tangent = VectorTanh.of(after);
      after.intoArray(cell, j);
      tangent.intoArray(squashed, j);
      out.mul(tangent).intoArray(hidden, j);
    }
  }

  /**
   * @param gates activated gates
   * @param before cell state before the row
   * @param squashed tangent of the cell state after the row
   * @param dHidden gradient of the hidden state after the row
   * @param dCell gradient of the cell state after the row; becomes that before it
   * @param dGates receives the gradient of the gates' sums
   */
  public static void backward(
      float[] gates,
      float[] before,
      float[] squashed,
      float[] dHidden,
      float[] dCell,
      float[] dGates) {
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
      dc.mul(candidate).mul(in.fma(one.sub(in), zero)).intoArray(dGates, j);
      dc.mul(load(before, j)).mul(forget.fma(one.sub(forget), zero)).intoArray(dGates, width + j);
      dc.mul(in).mul(candidate.fma(zero.sub(candidate), one)).intoArray(dGates, 2 * width + j);
      dh.mul(t).mul(out.fma(one.sub(out), zero)).intoArray(dGates, 3 * width + j);
      dc.mul(forget).intoArray(dCell, j);
    }
  }
}
