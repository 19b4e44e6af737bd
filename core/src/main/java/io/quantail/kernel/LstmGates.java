package io.quantail.kernel;

import io.quantail.simd.LstmGateLoops;
import io.quantail.simd.TanhLoop;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The element-wise part of an LSTM for one row: from the sums of the gates to the next state, and
 * back.
 *
 * <p>All four gates go through one loop. With {@code y = factor tanh(slope x) + offset} a sigmoid
 * has (1/2, 1/2, 1/2) and a tangent (1, 1, 0); their derivatives are {@code y (peak - y) + base}
 * with (1, 0) and (0, 1). It holds scratch arrays and is not thread-safe.
 *
 * <p>{@link LstmGateLoops} needs no copies where the JVM offers vector instructions; {@code
 * LstmGatesTest} pins that it gives the same bits.
 */
final class LstmGates {
  private static final Map<Integer, float[]> FACTORS = new ConcurrentHashMap<>(); // by width
  private static final Map<Integer, float[]> OFFSETS = new ConcurrentHashMap<>();

  private final int width;
  private final boolean vectors;
  private final float[] factor; // the slope is the same number
  private final float[] offset;
  private final float[] in;
  private final float[] forget;
  private final float[] candidate;
  private final float[] out;
  private final float[] dIn;
  private final float[] dForget;
  private final float[] dCandidate;
  private final float[] dOut;

  LstmGates(int width) {
    this(width, PackedMatrix.VECTORS && LstmGateLoops.fit(width));
  }

  LstmGates(int width, boolean vectors) {
    this.width = width;
    this.vectors = vectors;
    factor = FACTORS.computeIfAbsent(width, any -> perGate(width, 0.5f, 1));
    offset = OFFSETS.computeIfAbsent(width, any -> perGate(width, 0.5f, 0));
    int scratch = vectors ? 0 : width;
    in = new float[scratch];
    forget = new float[scratch];
    candidate = new float[scratch];
    out = new float[scratch];
    dIn = new float[scratch];
    dForget = new float[scratch];
    dCandidate = new float[scratch];
    dOut = new float[scratch];
  }

  private static float[] perGate(int width, float sigmoid, float tangent) {
    float[] values = new float[4 * width];
    Arrays.fill(values, sigmoid);
    Arrays.fill(values, 2 * width, 3 * width, tangent);
    return values;
  }

  /** Turns the sums of a row into activated gates and computes the state after the row. */
  void forward(LstmLayer.Trace trace, int row) {
    float[] gates = trace.gates()[row];
    float[] cell = trace.cell()[row];
    float[] squashed = trace.squashed()[row];
    if (vectors) {
      TanhLoop.activate(gates, factor, offset);
      LstmGateLoops.forward(gates, trace.previousCell()[row], cell, squashed, trace.hidden()[row]);
      return;
    }
    activate(gates, factor, offset);
    split(gates);
    nextCell(cell, forget, trace.previousCell()[row], in, candidate);
    TanhApproximation.of(squashed, cell);
    FloatVectors.multiply(trace.hidden()[row], out, squashed);
  }

  /**
   * Turns the activated gates of a row into the gradient of their sums.
   *
   * @param dHidden gradient of the hidden state after the row
   * @param dCell gradient of the cell state after the row; becomes that before it
   */
  void backward(LstmLayer.Trace trace, int row, float[] dHidden, float[] dCell) {
    float[] gates = trace.gates()[row];
    float[] squashed = trace.squashed()[row];
    if (vectors) {
      LstmGateLoops.backward(gates, trace.previousCell()[row], squashed, dHidden, dCell);
      return;
    }
    split(gates);
    throughOutput(dOut, dCell, dHidden, out, squashed);
    FloatVectors.multiply(dIn, dCell, candidate);
    FloatVectors.multiply(dForget, dCell, trace.previousCell()[row]);
    FloatVectors.multiply(dCandidate, dCell, in);
    FloatVectors.multiply(dCell, dCell, forget);
    throughActivation(dIn, in, 1, 0);
    throughActivation(dForget, forget, 1, 0);
    throughActivation(dCandidate, candidate, 0, 1);
    throughActivation(dOut, out, 1, 0);
    System.arraycopy(dIn, 0, gates, 0, width);
    System.arraycopy(dForget, 0, gates, width, width);
    System.arraycopy(dCandidate, 0, gates, 2 * width, width);
    System.arraycopy(dOut, 0, gates, 3 * width, width);
  }

  /** Copies each gate into an array of its own: vector loops need arrays that start at 0. */
  private void split(float[] gates) {
    System.arraycopy(gates, 0, in, 0, width);
    System.arraycopy(gates, width, forget, 0, width);
    System.arraycopy(gates, 2 * width, candidate, 0, width);
    System.arraycopy(gates, 3 * width, out, 0, width);
  }

  private static void activate(float[] gates, float[] factor, float[] offset) {
    for (int j = 0; j < gates.length; j++) {
      gates[j] = Math.fma(factor[j], TanhApproximation.of(factor[j] * gates[j]), offset[j]);
    }
  }

  private static void nextCell(
      float[] cell, float[] forget, float[] previous, float[] in, float[] candidate) {
    for (int j = 0; j < cell.length; j++) {
      cell[j] = Math.fma(forget[j], previous[j], in[j] * candidate[j]);
    }
  }

  private static void throughOutput(
      float[] dOut, float[] dCell, float[] dHidden, float[] out, float[] squashed) {
    for (int j = 0; j < dOut.length; j++) {
      float t = squashed[j];
      dCell[j] = Math.fma(dHidden[j] * out[j], 1 - t * t, dCell[j]);
      dOut[j] = dHidden[j] * t;
    }
  }

  private static void throughActivation(float[] dGate, float[] gate, float peak, float base) {
    for (int j = 0; j < dGate.length; j++) {
      float y = gate[j];
      dGate[j] *= Math.fma(y, peak - y, base);
    }
  }
}
