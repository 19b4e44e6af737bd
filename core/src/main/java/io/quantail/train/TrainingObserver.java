package io.quantail.train;

import io.quantail.model.ActingModel;
import io.quantail.rollout.Rollout;
import io.quantail.state.Restorable;
import java.util.List;

/**
 * Learns or measures something from the rollouts of a training, beside the agent. It must change
 * neither the agent nor the rollout, and must draw random numbers from streams of its own, so that
 * the agent is the same with and without it. Its state is part of every snapshot.
 */
public interface TrainingObserver extends Restorable {

  /** Name of its state in snapshots; unique among the observers of a training. */
  String name();

  /** Names of the {@link io.quantail.env.Step#info} that rollouts have to record. */
  List<String> stepInfo();

  /**
   * Called after each update, perhaps by another thread than the last time.
   *
   * @param rollout of the update; to be read only
   * @param update number of updates before this one
   */
  void observe(Rollout rollout, long update);

  /** Called when the training is complete, before its last snapshot. */
  void complete(ActingModel agent);
}
