package io.quantail.study.sweep;

import io.quantail.study.directory.JournalFile;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.sweep.SweepTask.Outcome;
import io.quantail.study.task.OutcomeFile;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The agents of successive halving: decides with each score which agent is trained next. Scores,
 * and promotions that depend on their order, are in the journal before anything builds on them.
 */
final class HalvingSource implements TaskSource<Outcome> {
  private static final String JOURNAL = "halving.jsonl";

  private final SweepPlan plan;
  private final Halving halving;
  private final int rungs;
  private final Tasks tasks;
  private final StudyDirectory place;
  private final StudyTrainings.Listener<Outcome> listener;
  private final JournalFile<HalvingEntry> journal;
  private final Map<Agent, TaskResult<Outcome>> results = new HashMap<>();
  private final List<Set<Integer>> entered = new ArrayList<>(); // points, by rung
  private final List<List<SweepResult.Point>> scored = new ArrayList<>(); // by rung
  private final Deque<Agent> open = new ArrayDeque<>();
  private final Map<String, Agent> underWay = new HashMap<>();

  /**
   * An agent at a rung.
   *
   * @param rung from 0
   * @param point index of the point
   * @param seed index of the seed
   */
  record Agent(int rung, int point, int seed) {}

  /** Makes the task of an agent. */
  interface Tasks {
    SweepTask task(Agent agent);
  }

  HalvingSource(
      SweepPlan plan,
      Halving halving,
      int rungs,
      Tasks tasks,
      StudyDirectory place,
      StudyTrainings.Listener<Outcome> listener) {
    this.plan = plan;
    this.halving = halving;
    this.rungs = rungs;
    this.tasks = tasks;
    this.place = place;
    this.listener = listener;
    long points = plan.points().size();
    long seeds = plan.seeds().size();
    journal =
        JournalFile.open(
            place.path().resolve(JOURNAL),
            HalvingEntry.class,
            halving.asynchronous()
                ? null
                : entry ->
                    ((entry.rung() - 1) * points + entry.point() - 1) * seeds
                        + plan.seeds().indexOf(entry.seed()),
            Map.of("format", 1),
            head -> {});
    for (int rung = 0; rung < rungs; rung++) {
      entered.add(new HashSet<>());
      scored.add(new ArrayList<>());
    }
    journal.entries().forEach(this::repeat);
    listener.onStart(total(), results.size());
  }

  /** Number of trainings when every rung is complete. */
  private int total() {
    int total = 0;
    int points = plan.points().size();
    for (int rung = 0; rung < rungs; rung++) {
      total += points * plan.seeds().size();
      points = halving.kept(points);
    }
    return total;
  }

  /** Applies a line that is in the journal already. */
  private void repeat(HalvingEntry entry) {
    int rung = entry.rung() - 1;
    int point = entry.point() - 1;
    if (entry.seed() == null) {
      enter(rung, point);
      return;
    }
    Agent agent = new Agent(rung, point, plan.seeds().indexOf(entry.seed()));
    SweepTask task = tasks.task(agent);
    Double score = entry.score();
    put(
        agent,
        score == null
            ? TaskResult.failed(task.name(), Objects.requireNonNull(entry.failure()), 1)
            : TaskResult.done(
                task.name(),
                OutcomeFile.read(place.run(task.name()), task)
                    .orElseGet(() -> new Outcome(score, entry.steps(), null)),
                place.run(task.name()),
                1));
  }

  @Override
  public Optional<? extends Task<Outcome>> next() {
    while (true) {
      if (open.isEmpty() && !decide()) {
        return Optional.empty();
      }
      Agent agent = open.poll();
      if (agent == null || results.containsKey(agent)) {
        continue;
      }
      SweepTask task = tasks.task(agent);
      Optional<Outcome> known = OutcomeFile.read(place.run(task.name()), task);
      if (known.isEmpty()) {
        underWay.put(task.name(), agent);
        return Optional.of(task);
      }
      // The process was killed after it had moved the agent and before it had written the journal.
      add(agent, TaskResult.done(task.name(), known.get(), place.run(task.name()), 1));
    }
  }

  @Override
  public void done(TaskResult<Outcome> result) {
    if (result.succeeded()) {
      place.commit(result);
    }
    add(Objects.requireNonNull(underWay.remove(result.name())), result);
    listener.onResult(result);
  }

  private void add(Agent agent, TaskResult<Outcome> result) {
    Outcome value = result.value();
    journal.add(
        new HalvingEntry(
            agent.rung() + 1,
            agent.point() + 1,
            plan.seeds().get(agent.seed()),
            value == null ? null : value.score(),
            value == null ? 0 : value.steps(),
            result.failure()));
    put(agent, result);
  }

  /** Keeps a result, and the point if all its agents have a score or have failed now. */
  private void put(Agent agent, TaskResult<Outcome> result) {
    results.put(agent, result);
    SweepResult.Point point = point(agent.rung(), agent.point());
    if (point != null) {
      scored.get(agent.rung()).add(point);
    }
  }

  /** Lets points enter a rung; false if there are none before another score has come. */
  private boolean decide() {
    return halving.asynchronous() ? promoteOne() || beginOne() : completeRung();
  }

  private boolean completeRung() {
    int rung = 0;
    while (rung < rungs && !entered.get(rung).isEmpty()) {
      if (scored.get(rung).size() < entered.get(rung).size()) {
        return false;
      }
      rung++;
    }
    journal.flush(); // the lines of points that did not enter a rung never come
    if (rung == rungs) {
      return false;
    }
    if (rung == 0) {
      for (int point = 0; point < plan.points().size(); point++) {
        enter(0, point);
      }
      return true;
    }
    List<SweepResult.Point> best = best(rung - 1);
    int kept = Math.min(best.size(), halving.kept(entered.get(rung - 1).size()));
    for (SweepResult.Point point : best.subList(0, kept)) {
      enter(rung, point.point() - 1);
    }
    return kept > 0;
  }

  /** Promotes the best point that may continue, from the highest rung. */
  private boolean promoteOne() {
    for (int rung = rungs - 2; rung >= 0; rung--) {
      List<SweepResult.Point> best = best(rung);
      int kept = Math.min(best.size(), scored.get(rung).size() / halving.reduction());
      for (SweepResult.Point point : best.subList(0, kept)) {
        if (!entered.get(rung + 1).contains(point.point() - 1)) {
          journal.add(HalvingEntry.promotion(rung + 2, point.point()));
          enter(rung + 1, point.point() - 1);
          return true;
        }
      }
    }
    return false;
  }

  private boolean beginOne() {
    int point = entered.get(0).size();
    if (point == plan.points().size()) {
      return false;
    }
    enter(0, point);
    return true;
  }

  private void enter(int rung, int point) {
    entered.get(rung).add(point);
    for (int seed = 0; seed < plan.seeds().size(); seed++) {
      open.add(new Agent(rung, point, seed));
    }
  }

  private SweepResult.@Nullable Point point(int rung, int point) {
    List<SweepResult.Training> trainings = new ArrayList<>();
    for (int seed = 0; seed < plan.seeds().size(); seed++) {
      TaskResult<Outcome> result = results.get(new Agent(rung, point, seed));
      if (result == null) {
        return null;
      }
      long number = plan.seeds().get(seed);
      Outcome value = result.value();
      trainings.add(
          value == null
              ? SweepResult.Training.failed(number, Objects.requireNonNull(result.failure()))
              : new SweepResult.Training(
                  number, value.score(), value.steps(), null, null, null, null));
    }
    return SweepResult.Point.of(point + 1, Map.of(), trainings);
  }

  /** The points of a rung that have a median, the best first. */
  private List<SweepResult.Point> best(int rung) {
    return SweepResult.ranked(scored.get(rung)).stream()
        .filter(point -> Double.isFinite(point.median()))
        .toList();
  }

  /** All agents that were trained, and the last complete rung of each point. */
  SweepTrainings trainings() {
    StudyTrainings<Outcome> trainings =
        new StudyTrainings<>(new LinkedHashMap<>(), new LinkedHashMap<>());
    Map<Integer, Integer> reached = new HashMap<>();
    for (int rung = 0; rung < rungs; rung++) {
      for (int point = 0; point < plan.points().size(); point++) {
        if (point(rung, point) != null) {
          reached.put(point + 1, rung + 1);
        }
        for (int seed = 0; seed < plan.seeds().size(); seed++) {
          trainings.add(results.get(new Agent(rung, point, seed)));
        }
      }
    }
    return new SweepTrainings(trainings, reached);
  }
}
