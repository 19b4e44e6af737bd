package io.quantail.study.sweep;

import io.quantail.study.directory.StudyTrainings;
import java.util.Map;

/**
 * The trained agents of a sweep.
 *
 * @param trainings by the names of the agents
 * @param rungs last complete rung of each point, by its number; empty without successive halving
 */
public record SweepTrainings(
    StudyTrainings<SweepTask.Outcome> trainings, Map<Integer, Integer> rungs) {

  /** Name of the agent of a point and seed, at the last rung of the point. */
  public String name(SweepPlan plan, SweepPlan.Point point, long seed) {
    Integer rung = rungs.get(point.number());
    return rung == null ? plan.name(point, seed) : Sweep.name(plan, point, seed, rung);
  }
}
