package io.quantail.nn;

import io.quantail.kernel.Affine;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Rows;
import io.quantail.kernel.Workspace;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One way through the network and back on the kernels: trunks, then the heads on top of them. */
final class Pass {
  private final Workspace workspace;
  private final Parameters.Replica parameters;
  private final List<Trunk> trunks;
  private final List<Trunk.Trace> traces = new ArrayList<>();
  private final Output actions;
  private final Output values; // null when the policy is evaluated alone
  private final int rows;
  private final Map<Integer, Tensor> slotLeaves = new LinkedHashMap<>();

  /** A head, the trunk it stands on, its outputs, and these as leaves when they were asked for. */
  private record Output(Affine head, int trunk, float[][] y, List<Tensor> leaves) {}

  Pass(
      Workspace workspace,
      Parameters.Replica parameters,
      List<Trunk> trunks,
      Heads heads,
      Packing packing,
      float[][] observations,
      RecurrentState initial) {
    this.workspace = workspace;
    this.parameters = parameters;
    this.trunks = trunks;
    this.rows = packing.rows();
    parameters.refresh();
    for (Trunk trunk : trunks) {
      traces.add(trunk.forward(workspace, parameters, packing, observations, initial));
    }
    actions = output(heads.actions, 0);
    values = heads.values == Heads.NONE ? null : output(heads.values, trunks.size() - 1);
  }

  /** The affine maps of the two heads; that of the critics may be {@link #NONE}. */
  record Heads(int actions, int values) {
    static final int NONE = -1;
  }

  private Output output(int affine, int trunk) {
    Affine head = parameters.affine(affine);
    float[][] y = workspace.rows(rows, head.outputs());
    head.apply(y, traces.get(trunk).latent(), rows);
    return new Output(head, trunk, y, new ArrayList<>());
  }

  Parameters.Replica parameters() {
    return parameters;
  }

  float[][] actions() {
    return actions.y;
  }

  float[][] values() {
    return values.y;
  }

  Tensor actionLeaf() {
    return leaves(actions, 1).get(0);
  }

  /** The numbers of a slot that no affine map holds, as a leaf. */
  Tensor leaf(int slot) {
    return slotLeaves.computeIfAbsent(
        slot,
        key -> {
          float[] numbers = parameters.numbers(key);
          return Tensor.of(numbers, numbers.length).requireGradient();
        });
  }

  List<Tensor> valueLeaves(int count) {
    return leaves(values, count);
  }

  /** The outputs of a head as leaves of equal width. */
  private List<Tensor> leaves(Output output, int count) {
    int width = output.head.outputs() / count;
    for (int leaf = 0; leaf < count; leaf++) {
      float[] numbers = Rows.join(output.y, leaf * width, width);
      output.leaves.add(Tensor.of(numbers, rows, width).requireGradient());
    }
    return List.copyOf(output.leaves);
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

  /** Carries the gradients of the leaves back, as far as they have any. */
  void propagate() {
    propagate(gradient(actions), values == null ? null : gradient(values));
    slotLeaves.forEach(
        (slot, leaf) -> {
          if (leaf.hasGradient()) {
            parameters.addGradient(slot, leaf.gradient().floats());
          }
        });
  }

  /**
   * Carries the gradients of the outputs back and adds what reaches the parameters to theirs.
   *
   * @param dActions gradient of the action head's outputs; null for none
   * @param dValues gradient of the critics' outputs; null for none
   */
  void propagate(float[][] dActions, float[][] dValues) {
    for (int trunk = 0; trunk < trunks.size(); trunk++) {
      boolean byActions = dActions != null && actions.trunk == trunk;
      boolean byValues = dValues != null && values.trunk == trunk;
      if (!byActions && !byValues) {
        continue;
      }
      float[][] latent = traces.get(trunk).latent();
      float[][] dLatent = null;
      if (byActions) {
        dLatent = backward(actions, latent, dActions, null);
      }
      if (byValues) {
        dLatent = backward(values, latent, dValues, dLatent);
      }
      trunks.get(trunk).backward(workspace, parameters, traces.get(trunk), dLatent);
    }
  }

  /**
   * The gradient of the observations, given what reached the outputs of the action head; the
   * gradients of the parameters stay as they are.
   */
  float[][] inputGradient() {
    Trunk.Trace trace = traces.get(actions.trunk);
    float[][] dActions = gradient(actions);
    float[][] dLatent =
        dActions == null
            ? workspace.zeros(rows, trace.latent()[0].length)
            : actions.head.inputGradient(workspace, dActions, rows);
    return trunks.get(actions.trunk).inputGradient(workspace, parameters, trace, dLatent);
  }

  /**
   * Adds the gradient of a head's weights.
   *
   * @param dLatent what other heads gave so far; null for nothing
   * @return the gradient of the latent with this head's
   */
  private float[][] backward(Output output, float[][] latent, float[][] dy, float[][] dLatent) {
    output.head.addGradient(workspace, dy, latent, rows);
    if (dLatent == null) {
      return output.head.inputGradient(workspace, dy, rows);
    }
    output.head.addInputGradient(dLatent, dy, rows);
    return dLatent;
  }

  /** The gradients of a head's leaves side by side; null when none has one. */
  private float[][] gradient(Output output) {
    if (output.leaves.stream().noneMatch(Tensor::hasGradient)) {
      return null;
    }
    float[][] dy = workspace.zeros(rows, output.head.outputs());
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
