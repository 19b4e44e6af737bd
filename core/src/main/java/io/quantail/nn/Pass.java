package io.quantail.nn;

import io.quantail.kernel.Affine;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Rows;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * One way through the network and back: trunks and heads run on the kernels, and the outputs of the
 * heads are given to libtorch as leaves.
 */
public final class Pass {
  private final Parameters.Replica parameters;
  private final List<Trunk> trunks;
  private final List<Trunk.Trace> traces = new ArrayList<>();
  private final List<Output> outputs = new ArrayList<>();
  private final int rows;

  /** A head, the trunk it stands on, and its outputs cut into leaves side by side. */
  private record Output(Affine head, int trunk, List<Tensor> leaves) {}

  Pass(
      Parameters.Replica parameters,
      List<Trunk> trunks,
      Packing packing,
      float[][] observations,
      RecurrentState initial) {
    this.parameters = parameters;
    this.trunks = trunks;
    this.rows = packing.rows();
    parameters.refresh();
    for (Trunk trunk : trunks) {
      traces.add(trunk.forward(parameters, packing, observations, initial));
    }
  }

  /** The outputs of a head as leaves of equal width. */
  List<Tensor> head(int affine, int trunk, int leafCount) {
    Affine head = parameters.affine(affine);
    float[][] y = Rows.zeros(rows, head.outputs());
    head.apply(y, traces.get(trunk).latent(), rows);
    int width = head.outputs() / leafCount;
    List<Tensor> leaves = new ArrayList<>();
    for (int leaf = 0; leaf < leafCount; leaf++) {
      leaves.add(Tensor.of(Rows.join(y, leaf * width, width), rows, width).requireGradient());
    }
    outputs.add(new Output(head, trunk, leaves));
    return leaves;
  }

  /** The state after the last row of each sequence; without memory the one before. */
  RecurrentState next(RecurrentState initial) {
    List<float[][]> hidden = new ArrayList<>();
    List<float[][]> cell = new ArrayList<>();
    for (Trunk.Trace trace : traces) {
      trace.memory().forEach(layer -> hidden.add(layer.last(layer.hidden())));
      trace.memory().forEach(layer -> cell.add(layer.last(layer.cell())));
    }
    return hidden.isEmpty()
        ? initial
        : new RecurrentState(hidden.toArray(float[][][]::new), cell.toArray(float[][][]::new));
  }

  void propagate() {
    for (int trunk = 0; trunk < trunks.size(); trunk++) {
      float[][] dLatent = null;
      for (Output output : outputs) {
        if (output.trunk == trunk && output.leaves.stream().anyMatch(Tensor::hasGradient)) {
          dLatent = dLatent == null ? latentZeros(trunk) : dLatent;
          backward(output, dLatent);
        }
      }
      if (dLatent != null) {
        trunks.get(trunk).backward(parameters, traces.get(trunk), dLatent);
      }
    }
    parameters.moveGradients();
  }

  /**
   * The gradient of the observations, given what reached the outputs of the first trunk; the
   * gradients of the parameters stay as they are.
   */
  float[][] inputGradient() {
    float[][] dLatent = latentZeros(0);
    for (Output output : outputs) {
      if (output.trunk == 0) {
        output.head.addInputGradient(dLatent, gradient(output), rows);
      }
    }
    return trunks.get(0).inputGradient(parameters, traces.get(0), dLatent);
  }

  private float[][] latentZeros(int trunk) {
    return Rows.zeros(rows, traces.get(trunk).latent()[0].length);
  }

  private void backward(Output output, float[][] dLatent) {
    float[][] dy = gradient(output);
    output.head.addGradient(dy, traces.get(output.trunk).latent(), rows);
    output.head.addInputGradient(dLatent, dy, rows);
  }

  /** What reached a head's outputs. */
  private float[][] gradient(Output output) {
    float[][] dy = Rows.zeros(rows, output.head.outputs());
    int width = output.head.outputs() / output.leaves.size();
    for (int leaf = 0; leaf < output.leaves.size(); leaf++) {
      if (output.leaves.get(leaf).hasGradient()) {
        float[] gradient = output.leaves.get(leaf).gradient().floats();
        for (int row = 0; row < rows; row++) {
          System.arraycopy(gradient, row * width, dy[row], leaf * width, width);
        }
      }
    }
    return dy;
  }
}
