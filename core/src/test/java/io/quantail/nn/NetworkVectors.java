package io.quantail.nn;

import io.quantail.config.Activation;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Layers.LstmResult;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
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
    try (Scope scope = Scope.open()) {
      LstmResult result = stepFromStart(vector);
      vector.expect("h", result.hidden().doubles());
      vector.expect("c", result.cell().doubles());
    }
  }

  private void checkOneStepPerObservation(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      vector.expect("h_correct", stepFromStart(vector).hidden().doubles());
    }
  }

  private static LstmResult stepFromStart(VectorCase vector) {
    return Layers.lstmCell(
        row(vector.doubles("x")),
        row(vector.doubles("h0")),
        row(vector.doubles("c0")),
        weights(vector));
  }

  private void checkSequence(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[][] x = vector.matrix("x");
      boolean[] starts = vector.flags("episode_starts");
      double[][] hidden = new double[x.length][];
      double[][] cell = new double[x.length][];
      RecurrentState state = state(vector.doubles("h0"), vector.doubles("c0"));
      for (int t = 0; t < x.length; t++) {
        RecurrentState before = state.startEpisodes(new boolean[] {starts[t]});
        LstmResult result =
            Layers.lstmCell(
                row(x[t]),
                before.hidden().select(0, 0),
                before.cell().select(0, 0),
                weights(vector));
        state = new RecurrentState(result.hidden().unsqueeze(0), result.cell().unsqueeze(0));
        hidden[t] = result.hidden().doubles();
        cell[t] = result.cell().doubles();
      }
      vector.expect("h", hidden);
      vector.expect("c", cell);
      vector.expect("h", cutSequences(vector, x, starts));
    }
  }

  /** The same hidden states from one fused call for each stretch between episode starts. */
  private static double[][] cutSequences(VectorCase vector, double[][] x, boolean[] starts) {
    List<double[]> hidden = new ArrayList<>();
    RecurrentState state = state(vector.doubles("h0"), vector.doubles("c0"));
    int from = 0;
    while (from < x.length) {
      int to = from + 1;
      while (to < x.length && !starts[to]) {
        to++;
      }
      double[] flat = Arrays.stream(x, from, to).flatMapToDouble(Arrays::stream).toArray();
      RecurrentState before = state.startEpisodes(new boolean[] {starts[from]});
      LstmResult result =
          Layers.lstm(
              Tensor.of(flat, to - from, 1, x[0].length),
              before.hidden(),
              before.cell(),
              weights(vector));
      for (int t = 0; t < to - from; t++) {
        hidden.add(result.output().select(0, t).doubles());
      }
      state = new RecurrentState(result.hidden(), result.cell());
      from = to;
    }
    return hidden.toArray(double[][]::new);
  }

  private void checkColumns(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[] first = vector.doubles("obs_env0");
      double[] second = vector.doubles("obs_env1");
      int width = vector.matrix("weight_hh")[0].length;
      Tensor zeros = Tensor.of(new double[2 * width], 2, width);
      Tensor observations = Tensor.cat(List.of(row(first), row(second)), 0);
      Tensor hidden = Layers.lstmCell(observations, zeros, zeros, weights(vector)).hidden();
      double[] other = hidden.select(0, 1).doubles();
      vector.expect("h_env0", hidden.select(0, 0).doubles());
      vector.expect("h_env1_correct", other);
      vector.expectNot("h_env1_when_state_has_one_column", "h_env1_correct", other);
    }
  }

  private void checkMlp(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      Mlp.Weights weights =
          new Mlp.Weights(
              matrix(vector, "W1"),
              flat(vector, "b1"),
              matrix(vector, "W2"),
              flat(vector, "b2"),
              matrix(vector, "W_skip"));
      String name = vector.input("activation").asText().toUpperCase(Locale.ROOT);
      Tensor x = row(vector.doubles("x"));
      vector.expect("y", Mlp.forward(weights, x, Activation.valueOf(name)).doubles());
    }
  }

  private static RecurrentState state(double[] hidden, double[] cell) {
    return new RecurrentState(
        Tensor.of(hidden, 1, 1, hidden.length), Tensor.of(cell, 1, 1, cell.length));
  }

  private static List<Tensor> weights(VectorCase vector) {
    return List.of(
        matrix(vector, "weight_ih"),
        matrix(vector, "weight_hh"),
        flat(vector, "bias_ih"),
        flat(vector, "bias_hh"));
  }

  private static Tensor matrix(VectorCase vector, String input) {
    double[][] rows = vector.matrix(input);
    return Tensor.of(vector.doubles(input), rows.length, rows[0].length);
  }

  private static Tensor flat(VectorCase vector, String input) {
    double[] values = vector.doubles(input);
    return Tensor.of(values, values.length);
  }

  private static Tensor row(double[] values) {
    return Tensor.of(values, 1, values.length);
  }
}
