package io.quantail.nn;

import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * Everything one evaluation of the network yields.
 *
 * <p>It can be looked at in two ways. As tensors, {@link #policy()} and {@link #critics()}: leaves,
 * made when they are first asked for; a loss made of them is differentiated by {@link
 * Tensor#backward()} down to them, and {@link #propagate()} carries their gradients on to the
 * parameters. Or as plain rows, {@link #row()} and {@link #values()}, with gradients given to
 * {@link #propagate(PolicyRow, float[][], float[][])}: much faster, and all that acting and the
 * usual losses need. One thread at a time.
 */
public final class Forward {
  private final Pass pass;
  private final ActionHead head;
  private final int critics;
  private final RecurrentState initial;
  private ActionDistribution policy; // made when asked for, like the next
  private List<Tensor> criticOutputs;

  Forward(Pass pass, ActionHead head, int critics, RecurrentState initial) {
    this.pass = pass;
    this.head = head;
    this.critics = critics;
    this.initial = initial;
  }

  /** The distribution over actions, one row a sample. */
  public ActionDistribution policy() {
    if (policy == null) {
      policy = head.distribution(pass);
    }
    return policy;
  }

  /** The outputs of each critic's head in normalised units, [row, output]. */
  public List<Tensor> critics() {
    if (criticOutputs == null) {
      criticOutputs = pass.valueLeaves(critics);
    }
    return criticOutputs;
  }

  /** The recurrent state after the last observation. */
  public RecurrentState next() {
    return pass.next(initial);
  }

  /** A view of one row of the policy after the other; {@link #actions()} has the rows. */
  public PolicyRow row() {
    return head.row(pass.parameters());
  }

  /** The outputs of the action head, [row][output]. */
  public float[][] actions() {
    return pass.actions();
  }

  /** The outputs of the critics' heads side by side, [row][critic and output]. */
  public float[][] values() {
    return pass.values();
  }

  /** Adds the gradients that reached the tensors to those of the parameters; once per pass. */
  public void propagate() {
    pass.propagate();
  }

  /**
   * Adds the gradients of the rows to those of the parameters; once per pass.
   *
   * @param row what {@link #row()} gave, with the gradients it has gathered
   * @param dActions gradient of {@link #actions()}
   * @param dValues gradient of {@link #values()}
   */
  public void propagate(PolicyRow row, float[][] dActions, float[][] dValues) {
    head.addGradient(pass.parameters(), row);
    pass.propagate(dActions, dValues);
  }
}
