package io.quantail.network;

import io.quantail.kernel.ActivationFunction;
import io.quantail.kernel.AffineMap;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.PackedWeights;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.SkipMlp;
import io.quantail.kernel.Workspace;
import io.quantail.parallel.ParallelLoop;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The recurrent cell and the layers behind it. */
public final class NetworkVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "lstm_single_step", this::checkStep,
        "lstm_sequence_with_episode_start", this::checkSequence,
        "lstm_value_state_double_step", this::checkOneStepPerObservation,
        "lstm_batch_state_must_be_per_env", this::checkColumns,
        "mlp_", this::checkMlp);
  }

  private void checkStep(VectorCase vector) {
    vector.allowSinglePrecision(cellMagnitude(vector, "x", "h0", "c0"));
    LstmLayer.Trace trace = stepFromStart(vector);
    vector.expect("h", Floats.widened(trace.hidden()[0]));
    vector.expect("c", Floats.widened(trace.cell()[0]));
  }

  private void checkOneStepPerObservation(VectorCase vector) {
    vector.allowSinglePrecision(cellMagnitude(vector, "x", "h0", "c0"));
    vector.expect("h_correct", Floats.widened(stepFromStart(vector).hidden()[0]));
  }

  private static LstmLayer.Trace stepFromStart(VectorCase vector) {
    return layer(vector)
        .forward(
            new Workspace(),
            SequencePacking.singleStep(1),
            rows(vector.doubles("x")),
            rows(vector.doubles("h0")),
            rows(vector.doubles("c0")));
  }

  private void checkSequence(VectorCase vector) {
    vector.allowSinglePrecision(cellMagnitude(vector, "x", "h0", "c0"));
    double[][] x = vector.matrix("x");
    boolean[] starts = vector.flags("episode_starts");
    double[][] hidden = new double[x.length][];
    double[][] cell = new double[x.length][];
    RecurrentState state = initialState(vector);
    for (int t = 0; t < x.length; t++) {
      RecurrentState before = state.startEpisodes(new boolean[] {starts[t]});
      LstmLayer.Trace trace =
          layer(vector)
              .forward(
                  new Workspace(),
                  SequencePacking.singleStep(1),
                  rows(x[t]),
                  before.hidden()[0],
                  before.cell()[0]);
      state = stateAfter(trace);
      hidden[t] = Floats.widened(trace.hidden()[0]);
      cell[t] = Floats.widened(trace.cell()[0]);
    }
    vector.expect("h", hidden);
    vector.expect("c", cell);
    vector.expect("h", cutSequences(vector, x, starts));
  }

  /** The same hidden states from one call with a sequence for each stretch between starts. */
  private static double[][] cutSequences(VectorCase vector, double[][] x, boolean[] starts) {
    List<Integer> cuts = new ArrayList<>();
    for (int t = 0; t < x.length; t++) {
      if (t == 0 || starts[t]) {
        cuts.add(t);
      }
    }
    int[] first = cuts.stream().mapToInt(Integer::intValue).toArray();
    int[] lengths = new int[first.length];
    Arrays.setAll(lengths, s -> (s + 1 < first.length ? first[s + 1] : x.length) - first[s]);
    RecurrentState given = initialState(vector).startEpisodes(new boolean[] {starts[0]});
    RecurrentState initial = RecurrentState.zeros(1, first.length, given.hidden()[0][0].length);
    initial.hidden()[0][0] = given.hidden()[0][0];
    initial.cell()[0][0] = given.cell()[0][0];
    LstmLayer.Trace trace =
        layer(vector)
            .forward(
                new Workspace(),
                new SequencePacking(first, lengths),
                rows(x),
                initial.hidden()[0],
                initial.cell()[0]);
    return Arrays.stream(trace.hidden()).map(Floats::widened).toArray(double[][]::new);
  }

  private void checkColumns(VectorCase vector) {
    vector.allowSinglePrecision(cellMagnitude(vector, "obs_env0", "obs_env1"));
    int width = vector.matrix("weight_hh")[0].length;
    float[][] zeros = new float[2][width];
    float[][] observations = rows(vector.doubles("obs_env0"), vector.doubles("obs_env1"));
    float[][] hidden =
        layer(vector)
            .forward(new Workspace(), SequencePacking.singleStep(2), observations, zeros, zeros)
            .hidden();
    vector.expect("h_env0", Floats.widened(hidden[0]));
    vector.expect("h_env1_correct", Floats.widened(hidden[1]));
    vector.expectNot(
        "h_env1_when_state_has_one_column", "h_env1_correct", Floats.widened(hidden[1]));
  }

  /** Sums of the gates and states, of which outputs are smooth functions. */
  private static double cellMagnitude(VectorCase vector, String... inputs) {
    double largest = 1;
    for (String input : inputs) {
      largest = Math.max(largest, Floats.largest(vector.doubles(input)));
    }
    double[][] weights = vector.matrix("weight_ih");
    double[][] recurrent = vector.matrix("weight_hh");
    return largest
        * (1
            + sumMagnitude(weights, 1)
            + sumMagnitude(recurrent, 1)
            + Floats.largest(vector.doubles("bias_ih")));
  }

  /** About what a row of weights adds up to on inputs of a size. */
  private static double sumMagnitude(double[][] weights, double input) {
    return Floats.largest(Floats.flat(weights)) * Math.sqrt(weights[0].length) * input;
  }

  private void checkMlp(VectorCase vector) {
    String name = vector.input("activation").asText().toUpperCase(Locale.ROOT);
    int width = vector.doubles("b1").length;
    int inputs = vector.doubles("x").length;
    float[] flat =
        join(
            vector.doubles("W1"),
            vector.doubles("b1"),
            vector.doubles("W_skip"),
            vector.doubles("W2"),
            vector.doubles("b2"));
    int skip = width * inputs + width;
    int second = skip + width * inputs;
    AffineMap firstAndSkip =
        affine(
            inputs,
            flat,
            new PackedWeights.Part(width, 0, width * inputs),
            new PackedWeights.Part(width, skip, PackedWeights.Part.NONE));
    AffineMap last =
        affine(width, flat, new PackedWeights.Part(width, second, second + width * width));
    SkipMlp layers = new SkipMlp(firstAndSkip, last, ActivationFunction.valueOf(name));
    double x = Floats.largest(vector.doubles("x"));
    double inner = sumMagnitude(vector.matrix("W1"), x) + Floats.largest(vector.doubles("b1"));
    vector.allowSinglePrecision(
        sumMagnitude(vector.matrix("W2"), inner)
            + Floats.largest(vector.doubles("b2"))
            + sumMagnitude(vector.matrix("W_skip"), x));
    vector.expect(
        "y", Floats.widened(layers.forward(new Workspace(), rows(vector.doubles("x")), 1).y()[0]));
  }

  private static RecurrentState initialState(VectorCase vector) {
    return new RecurrentState(
        new float[][][] {rows(vector.doubles("h0"))}, new float[][][] {rows(vector.doubles("c0"))});
  }

  private static RecurrentState stateAfter(LstmLayer.Trace trace) {
    return new RecurrentState(
        new float[][][] {trace.last(trace.hidden())}, new float[][][] {trace.last(trace.cell())});
  }

  private static LstmLayer layer(VectorCase vector) {
    int inputs = vector.matrix("weight_ih")[0].length;
    int width = vector.matrix("weight_hh")[0].length;
    float[] flat =
        join(
            vector.doubles("weight_ih"),
            vector.doubles("bias_ih"),
            vector.doubles("weight_hh"),
            vector.doubles("bias_hh"));
    int recurrent = 4 * width * (inputs + 1);
    int bias = recurrent + 4 * width * width;
    PackedWeights.Part input = new PackedWeights.Part(4 * width, 0, 4 * width * inputs);
    PackedWeights.Part hidden = new PackedWeights.Part(4 * width, recurrent, bias);
    PackedWeights.Input one = new PackedWeights.Input(inputs, List.of(input));
    PackedWeights.Input other = new PackedWeights.Input(width, List.of(hidden));
    return new LstmLayer(affine(new PackedWeights(List.of(one, other)), flat));
  }

  private static AffineMap affine(int inputs, float[] flat, PackedWeights.Part... parts) {
    return affine(new PackedWeights(inputs, List.of(parts)), flat);
  }

  private static AffineMap affine(PackedWeights weights, float[] flat) {
    weights.read(flat);
    return new AffineMap(weights, new float[flat.length], ParallelLoop.ALONE);
  }

  private static float[] join(double[]... parts) {
    return Floats.of(Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray());
  }

  private static float[][] rows(double[]... rows) {
    return Arrays.stream(rows).map(Floats::of).toArray(float[][]::new);
  }
}
