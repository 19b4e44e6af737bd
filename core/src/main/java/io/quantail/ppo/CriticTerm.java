package io.quantail.ppo;

import io.quantail.critic.Critic;
import io.quantail.critic.ValueClip;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The critics' part of the loss: per critic the larger of the free and the clipped loss of each
 * sample, then the mean over samples and over critics.
 *
 * @param losses mean loss of each critic, one element each
 * @param readings what the clipping did, in the order of {@link Reading}; empty without clipping
 */
record CriticTerm(List<Tensor> losses, List<Tensor> readings) {

  /**
   * What clipping did in a piece, averaged over samples and critics.
   *
   * @param freeLoss loss of the predictions
   * @param clippedLoss loss of the limited predictions
   * @param active share of predictions that the limit changed
   * @param binding share of samples whose clipped loss was the larger
   */
  record Reading(double freeLoss, double clippedLoss, double active, double binding) {

    /** From the numbers of {@link #readings}; empty when there are none. */
    static Optional<Reading> of(double[] readings) {
      return readings.length == 0
          ? Optional.empty()
          : Optional.of(new Reading(readings[0], readings[1], readings[2], readings[3]));
    }
  }

  static CriticTerm free(Critic critic, List<Tensor> outputs, Tensor targets) {
    // All critics in one call: half the operators, and each costs more than its arithmetic.
    int critics = outputs.size();
    Tensor repeated = Tensor.cat(Collections.nCopies(critics, targets), 0);
    Tensor means =
        critic.loss(Tensor.cat(outputs, 0), repeated).reshape(critics, targets.count()).mean(1);
    return new CriticTerm(
        IntStream.range(0, critics).mapToObj(one -> means.select(0, one)).toList(), List.of());
  }

  /**
   * @param outputs what each critic says now
   * @param old what each critic said during the rollout
   */
  static CriticTerm clipped(
      ValueClip clip, Critic critic, List<Tensor> outputs, List<Tensor> old, Tensor targets) {
    List<ValueClip.Loss> losses = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      losses.add(clip.loss(critic, outputs.get(i), old.get(i), targets));
    }
    return new CriticTerm(
        losses.stream().map(loss -> loss.larger().mean()).toList(),
        List.of(
            mean(losses, ValueClip.Loss::free),
            mean(losses, ValueClip.Loss::clipped),
            mean(losses, ValueClip.Loss::active),
            mean(losses, ValueClip.Loss::binding)));
  }

  private static Tensor mean(List<ValueClip.Loss> losses, Function<ValueClip.Loss, Tensor> part) {
    return Tensor.stack(losses.stream().map(part).toList(), 0).mean();
  }

  /** Mean over critics, one element. */
  Tensor mean() {
    return Tensor.stack(losses, 0).mean();
  }
}
