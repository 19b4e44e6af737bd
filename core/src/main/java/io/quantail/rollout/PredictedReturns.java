package io.quantail.rollout;

import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;

/** The distributions that the critics predicted while a rollout was collected, in raw units. */
final class PredictedReturns implements ReturnTargets.Following {
  private final Rollout rollout;
  private final Critic critic;
  private final ReturnScale scale;
  private final float[] outputs;

  PredictedReturns(Rollout rollout, Critic critic, ReturnScale scale) {
    this.rollout = rollout;
    this.critic = critic;
    this.scale = scale;
    outputs = new float[rollout.shape().allOutputs()];
  }

  @Override
  public void select(int transition) {
    rollout.copyFollowingOutputs(transition, outputs);
    critic.read(outputs);
  }

  @Override
  public double draw(double level) {
    return scale.denormalize(critic.draw(level));
  }
}
