package io.quantail.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One LSTM layer over packed sequences; gates in the order input, forget, cell, output.
 *
 * <pre>
 *   i, f, o = sigmoid(W x + U h + b),   g = tanh(W x + U h + b)
 *   c' = f c + i g,   h' = o tanh(c')
 * </pre>
 *
 * Forward: one product per time step for all sequences, over input and hidden state side by side.
 * Backward through time likewise, and one product for all weight gradients at the end. The state
 * before the first row is given and gets no gradient.
 *
 * <p>See: Hochreiter, Schmidhuber, "Long short-term memory", Neural Computation 9(8), 1997. Pinned
 * by the vectors {@code lstm_*}, and by finite differences and plain loops in {@code
 * LstmLayerTest}.
 *
 * @param map of input and hidden state to the sums of the gates
 */
public record LstmLayer(AffineMap map) {
  private static final int INPUT = 0;
  private static final int HIDDEN = 1;

  /**
   * Results of a forward pass that the backward pass needs, one entry per row.
   *
   * @param x input
   * @param previousHidden hidden state before the row
   * @param previousCell cell state before the row
   * @param gates activated gates; the backward pass overwrites them with the gradient of their sums
   * @param cell cell state after the row
   * @param squashed tanh of the cell state
   * @param hidden hidden state after the row: the layer's output
   */
  public record Trace(
      SequencePacking packing,
      float[][] x,
      float[][] previousHidden,
      float[][] previousCell,
      float[][] gates,
      float[][] cell,
      float[][] squashed,
      float[][] hidden) {

    /** The states after the last row of each sequence, in the order the sequences were given. */
    public float[][] last(float[][] states) {
      float[][] last = new float[packing.sequences()][];
      for (int place = 0; place < last.length; place++) {
        last[packing.sequence(place)] = states[packing.lastRow(place)];
      }
      return last;
    }
  }

  private int width() {
    return map.inputs(HIDDEN);
  }

  /**
   * Evaluates all sequences.
   *
   * @param workspace provides the rows of the result
   * @param x input rows
   * @param hidden hidden state before each sequence
   * @param cell cell state before each sequence
   */
  public Trace forward(
      Workspace workspace, SequencePacking packing, float[][] x, float[][] hidden, float[][] cell) {
    Forward forward = prepare(workspace, packing, x);
    forward.run(hidden, cell);
    return forward.trace;
  }

  /**
   * Makes a forward pass that may run several times and then allocates nothing.
   *
   * @param workspace provides the rows of the result
   * @param x input rows, which are read when it runs
   */
  public Forward prepare(Workspace workspace, SequencePacking packing, float[][] x) {
    return new Forward(map, workspace, packing, x);
  }

  /** A forward pass; each run overwrites the results of the one before. */
  public static final class Forward {
    private final AffineMap map;
    private final Trace trace;
    private final LstmGates gates;
    private final float[][] joined; // input and hidden state side by side
    private final float[][] sums;

    private Forward(AffineMap map, Workspace workspace, SequencePacking packing, float[][] x) {
      int rows = packing.rows();
      int width = map.inputs(HIDDEN);
      this.map = map;
      trace =
          new Trace(
              packing,
              x,
              new float[rows][],
              new float[rows][],
              workspace.rows(rows, 4 * width),
              workspace.rows(rows, width),
              workspace.rows(rows, width),
              workspace.rows(rows, width));
      gates = new LstmGates(width);
      joined = workspace.rows(packing.sequences(), map.inputs(INPUT) + width);
      sums = new float[packing.sequences()][];
    }

    /** The results of the last run. */
    public Trace trace() {
      return trace;
    }

    /**
     * Evaluates all sequences.
     *
     * @param hidden hidden state before each sequence
     * @param cell cell state before each sequence
     */
    public void run(float[][] hidden, float[][] cell) {
      SequencePacking packing = trace.packing;
      int inputs = map.inputs(INPUT);
      int width = map.inputs(HIDDEN);
      for (int time = 0; time < packing.longest(); time++) {
        int running = packing.running(time);
        for (int place = 0; place < running; place++) {
          int row = packing.row(place, time);
          int sequence = packing.sequence(place);
          trace.previousHidden[row] = time == 0 ? hidden[sequence] : trace.hidden[row - 1];
          trace.previousCell[row] = time == 0 ? cell[sequence] : trace.cell[row - 1];
          System.arraycopy(trace.x[row], 0, joined[place], 0, inputs);
          System.arraycopy(trace.previousHidden[row], 0, joined[place], inputs, width);
          sums[place] = trace.gates[row];
        }
        map.apply(sums, joined, running);
        for (int place = 0; place < running; place++) {
          gates.forward(trace, packing.row(place, time));
        }
      }
    }
  }

  /**
   * Adds the gradients of the weights and returns that of the input.
   *
   * @param dHidden gradient of the output; it is overwritten
   * @return gradient of x, or null if it is not needed
   */
  public float @Nullable [][] backward(
      Workspace workspace, Trace trace, float[][] dHidden, boolean inputGradient) {
    int rows = trace.packing.rows();
    float[][] dGates = throughTime(workspace, trace, dHidden);
    map.addGradient(workspace, dGates, List.of(trace.x, trace.previousHidden), rows);
    return inputGradient ? map.inputGradient(workspace, INPUT, dGates, rows) : null;
  }

  /**
   * The gradient of the input alone; those of the weights stay unchanged.
   *
   * @param dHidden gradient of the output; it is overwritten
   */
  public float[][] inputGradient(Workspace workspace, Trace trace, float[][] dHidden) {
    float[][] dGates = throughTime(workspace, trace, dHidden);
    return map.inputGradient(workspace, INPUT, dGates, dGates.length);
  }

  /**
   * Backpropagates through time; returns the gradient of the gates' sums, in place of the gates.
   */
  private float[][] throughTime(Workspace workspace, Trace trace, float[][] dHidden) {
    SequencePacking packing = trace.packing;
    LstmGates gates = new LstmGates(width());
    float[][] dGates = trace.gates;
    float[][] dCell = workspace.zeros(packing.sequences(), width());
    float[][] dSums = new float[packing.sequences()][];
    float[][] dBefore = new float[packing.sequences()][];
    for (int time = packing.longest() - 1; time >= 0; time--) {
      int running = packing.running(time);
      for (int place = 0; place < running; place++) {
        int row = packing.row(place, time);
        gates.backward(trace, row, dHidden[row], dCell[place]);
        dSums[place] = dGates[row];
        dBefore[place] = time == 0 ? null : dHidden[row - 1];
      }
      if (time > 0) {
        map.addInputGradient(HIDDEN, dBefore, dSums, running);
      }
    }
    return dGates;
  }
}
