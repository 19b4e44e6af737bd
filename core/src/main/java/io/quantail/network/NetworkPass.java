package io.quantail.network;

import io.quantail.kernel.AffineMap;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One forward pass through trunks and heads, and the backward pass that belongs to it.
 *
 * <p>Its rows belong to a workspace and become invalid when the workspace is reset. It may run
 * several times with other contents of its observations and its initial state, and then allocates
 * nothing. Not thread-safe.
 */
public final class NetworkPass {
  private final Workspace workspace;
  private final ParameterReplica parameters;
  private final List<Trunk> trunks;
  private final List<Trunk.Trace> traces;
  private final PolicyHead actionHead;
  private final Output actions;
  private final @Nullable Output values; // null when the policy is evaluated alone
  private final float[][] observations;
  private final RecurrentState initial;
  private boolean[] masks;
  private final int maskSize;
  private final int rows;

  /** A head, the trunk below it, and its outputs. */
  private record Output(AffineMap head, int trunk, float[][] y) {}

  /** The affine map of the critics' heads where only the policy is evaluated. */
  static final int NO_VALUES = -1;

  NetworkPass(
      Workspace workspace,
      ParameterReplica parameters,
      List<Trunk> trunks,
      List<Trunk.Trace> traces,
      PolicyHead actionHead,
      int valueMap,
      SequenceInput sequences) {
    this.workspace = workspace;
    this.parameters = parameters;
    this.trunks = trunks;
    this.traces = traces;
    this.actionHead = actionHead;
    this.observations = sequences.observations();
    this.initial = sequences.initial();
    this.masks = sequences.masks();
    this.maskSize = actionHead.maskSize();
    this.rows = sequences.packing().rows();
    actions = output(actionHead.output(), 0);
    values = valueMap == NO_VALUES ? null : output(valueMap, trunks.size() - 1);
  }

  private Output output(int map, int trunk) {
    AffineMap head = parameters.affine(map);
    return new Output(head, trunk, workspace.rows(rows, head.outputs()));
  }

  /**
   * Evaluates the present contents of the observations and the initial state.
   *
   * @param allowed choices of all samples; empty if everything is allowed
   */
  public void run(boolean[] allowed) {
    masks = allowed;
    parameters.refresh();
    for (int i = 0; i < traces.size(); i++) {
      traces.get(i).run(initial);
    }
    apply(actions);
    if (values != null) {
      apply(values);
    }
  }

  private void apply(Output output) {
    output.head.apply(output.y, traces.get(output.trunk).latent(), rows);
  }

  /** The observations, one row per sample. */
  public float[][] observations() {
    return observations;
  }

  /** The outputs of the action head, [sample][output]. */
  public float[][] actions() {
    return actions.y;
  }

  /** The policy's distribution; {@link #set} sets it to one sample at a time. */
  public PolicyDistribution policy() {
    return actionHead.distribution(parameters);
  }

  /** Sets the result of {@link #policy()} to a sample, with the choices allowed there. */
  public void set(PolicyDistribution policy, int sample) {
    policy.set(actions.y[sample], features()[sample], masks, sample * maskSize);
  }

  /** The input of the action head, [sample][feature]: the actor's last hidden layer. */
  public float[][] features() {
    return traces.get(actions.trunk).latent();
  }

  /** The outputs of the critics' heads side by side in normalised units, [sample][output]. */
  public float[][] values() {
    if (values == null) {
      throw new IllegalStateException("the policy was evaluated alone, without the critics");
    }
    return values.y;
  }

  /** The recurrent state after the last sample of each sequence. */
  public RecurrentState next() {
    List<float[][]> hidden = new ArrayList<>();
    List<float[][]> cell = new ArrayList<>();
    for (Trunk.Trace trace : traces) {
      for (LstmLayer.Forward layer : trace.lstm()) {
        hidden.add(layer.trace().last(layer.trace().hidden()));
        cell.add(layer.trace().last(layer.trace().cell()));
      }
    }
    return hidden.isEmpty()
        ? initial
        : new RecurrentState(hidden.toArray(float[][][]::new), cell.toArray(float[][][]::new));
  }

  /**
   * Adds the gradient of the parameters, given that of the outputs; once per pass.
   *
   * @param policy the result of {@link #policy()}, with the gradients added to it
   * @param dActions gradient of {@link #actions()}; null for none
   * @param dValues gradient of {@link #values()}; null for none
   */
  public void backward(
      PolicyDistribution policy, float @Nullable [][] dActions, float @Nullable [][] dValues) {
    actionHead.addGradient(parameters, policy);
    for (int trunk = 0; trunk < trunks.size(); trunk++) {
      float[][] latent = traces.get(trunk).latent();
      float[][] dLatent = null;
      if (dActions != null && actions.trunk == trunk) {
        dLatent = backward(actions, latent, dActions, null);
      }
      if (dValues != null && Objects.requireNonNull(values).trunk == trunk) {
        dLatent = backward(values, latent, dValues, dLatent);
      }
      if (dLatent != null) {
        trunks.get(trunk).backward(workspace, parameters, traces.get(trunk), dLatent);
      }
    }
  }

  /**
   * The gradient of the observations, given that of the action head's outputs. The gradients of the
   * parameters stay unchanged.
   *
   * @param dFeatures gradient of {@link #features()} that is not through the head; null for none
   */
  public float[][] inputGradient(float[][] dActions, float @Nullable [][] dFeatures) {
    float[][] dLatent = actions.head.inputGradient(workspace, dActions, rows);
    for (int row = 0; dFeatures != null && row < rows; row++) {
      for (int i = 0; i < dLatent[row].length; i++) {
        dLatent[row][i] += dFeatures[row][i];
      }
    }
    return trunks
        .get(actions.trunk)
        .inputGradient(workspace, parameters, traces.get(actions.trunk), dLatent);
  }

  /**
   * Adds the gradient of a head's weights.
   *
   * @param dLatent gradient from the other heads; null for none
   * @return the gradient of the latent including this head
   */
  private float[][] backward(
      Output output, float[][] latent, float[][] dy, float @Nullable [][] dLatent) {
    output.head.addGradient(workspace, dy, latent, rows);
    if (dLatent == null) {
      return output.head.inputGradient(workspace, dy, rows);
    }
    output.head.addInputGradient(dLatent, dy, rows);
    return dLatent;
  }
}
