package io.quantail.testing.vectors;

import io.quantail.optim.LearningRateBounds;
import io.quantail.optim.LearningRateBounds.Bounded;
import io.quantail.optim.LearningRateSchedule;
import io.quantail.ppo.ClipRangeSchedule;
import io.quantail.ppo.CloningSchedule;
import io.quantail.ppo.EntropyPlateau;
import io.quantail.ppo.EntropyPlateau.Observation;
import io.quantail.ppo.EntropySchedule;
import io.quantail.ppo.EntropySchedule.Coefficient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Everything that changes with the progress of a run. */
final class ScheduleVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "clip_range_warmup", this::checkClipRange,
        "bc_coef_schedule", this::checkCloning,
        "ent_coef_schedule_floor", this::checkEntropy,
        "entropy_plateau_slope", this::checkPlateau,
        "onecycle_lr", this::checkOneCycle,
        "one_cycle_lr", this::checkOneCycleWithFloor,
        "lr_bounds", vector -> checkBounds(vector, "lr", "lr_out"),
        "optimizer_lr_bounds", this::checkGroupBounds);
  }

  private void checkClipRange(VectorCase vector) {
    ClipRangeSchedule range =
        new ClipRangeSchedule(
            vector.number("base"), vector.number("warmup"), vector.integer("warmup_updates"));
    vector.expect(
        "clip_range",
        Arrays.stream(vector.integers("update_index")).mapToDouble(range::at).toArray());
  }

  private void checkCloning(VectorCase vector) {
    CloningSchedule schedule =
        new CloningSchedule(
            vector.number("initial"),
            vector.number("final"),
            vector.integer("warmup_steps"),
            vector.integer("decay_steps"));
    vector.expect(
        "coef", Arrays.stream(vector.integers("timesteps")).mapToDouble(schedule::at).toArray());
  }

  private void checkEntropy(VectorCase vector) {
    EntropySchedule schedule =
        new EntropySchedule(
            vector.number("initial"),
            vector.number("final"),
            vector.number("ent_coef_min"),
            vector.integer("decay_steps"));
    long start =
        vector.input("decay_start").isNull()
            ? EntropySchedule.NOT_STARTED
            : vector.integer("decay_start");
    List<Coefficient> coefficients =
        Arrays.stream(vector.integers("update_index"))
            .mapToObj(update -> schedule.at(update, start))
            .toList();
    vector.expect("raw", coefficients.stream().mapToDouble(Coefficient::raw).toArray());
    vector.expect("clamped", coefficients.stream().mapToDouble(Coefficient::effective).toArray());
  }

  private void checkPlateau(VectorCase vector) {
    int[] updates = vector.integers("update_index");
    double[] entropy = vector.doubles("entropy");
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < updates.length; i++) {
      observations.add(new Observation(updates[i], entropy[i]));
    }
    EntropyPlateau plateau = new EntropyPlateau(updates.length, vector.number("tolerance"), 0);
    vector.expect("slope", EntropyPlateau.slope(observations));
    vector.expect("plateau", plateau.isFlat(observations));
  }

  private void checkOneCycle(VectorCase vector) {
    LearningRateSchedule.OneCycle cycle =
        new LearningRateSchedule.OneCycle(
            vector.number("max_lr"),
            vector.number("pct_start"),
            vector.number("div_factor"),
            vector.number("final_div_factor"));
    int total = vector.integer("total_steps");
    vector.expect(
        "lr",
        Arrays.stream(vector.integers("steps"))
            .mapToDouble(step -> cycle.rate(step, total))
            .toArray());
  }

  private void checkOneCycleWithFloor(VectorCase vector) {
    LearningRateSchedule.OneCycle cycle = LearningRateSchedule.OneCycle.around(vector.number("lr"));
    LearningRateBounds bounds =
        new LearningRateBounds(vector.number("floor"), Double.POSITIVE_INFINITY);
    int total = vector.integer("total_steps");
    double[] rates =
        IntStream.range(0, total).mapToDouble(step -> cycle.rate(step, total)).toArray();
    vector.expect("schedule", rates);
    vector.expect(
        "after_floor", Arrays.stream(rates).map(rate -> bounds.apply(rate).rate()).toArray());
  }

  private List<Bounded> checkBounds(VectorCase vector, String input, String field) {
    LearningRateBounds bounds =
        new LearningRateBounds(vector.number("lr_min"), vector.number("lr_max"));
    List<Bounded> bounded = Arrays.stream(vector.doubles(input)).mapToObj(bounds::apply).toList();
    vector.expect(field, bounded.stream().mapToDouble(Bounded::rate).toArray());
    if (vector.expects("floor_hit") && vector.expected("floor_hit").isArray()) {
      vector.expect("floor_hit", bounded.stream().mapToInt(b -> b.floorHit() ? 1 : 0).toArray());
    }
    return bounded;
  }

  private void checkGroupBounds(VectorCase vector) {
    List<Bounded> bounded = checkBounds(vector, "group_lrs", "clamped");
    vector.expect("floor_hit", bounded.stream().anyMatch(Bounded::floorHit));
  }
}
