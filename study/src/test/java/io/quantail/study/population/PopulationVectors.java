package io.quantail.study.population;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Decisions, exploration and what a copy changes. */
public final class PopulationVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "pbt_truncation_", this::checkTruncation,
        "pbt_binary_tournament", this::checkTournament,
        "pbt_perturb", this::checkPerturb,
        "pbt_categorical_step", this::checkChoice,
        "pbt_resample", this::checkResample,
        "pbt_ready_check_sequence", this::checkQuorum,
        "pbt_stats", this::checkScores,
        "pbt_lr_after_exploit", this::checkLearningRate);
  }

  private void checkTruncation(VectorCase vector) {
    double sign = vector.input("mode").asText().equals("min") ? -1 : 1;
    double[] scores =
        Arrays.stream(vector.doubles("performance")).map(score -> sign * score).toArray();
    double ratio = vector.number("ratio");
    int[] ranking = ExploitDecision.ranking(scores);
    vector.expect("ranking", ranking);
    String ours = vector.expects("k_recommended") ? "_recommended" : "";
    vector.expect("k" + ours, ExploitDecision.count(ranking.length, ratio));
    expectSet(vector, "bottom" + ours, ExploitDecision.bottom(ranking, ratio));
    expectSet(vector, "top" + ours, ExploitDecision.top(ranking, ratio));
  }

  private static void expectSet(VectorCase vector, String field, int[] members) {
    if (vector.expects(field)) {
      List<Integer> expected = new ArrayList<>();
      vector.expected(field).forEach(member -> expected.add(member.asInt()));
      assertThat(members)
          .as("%s: %s", vector.name(), field)
          .containsExactlyInAnyOrder(expected.toArray(Integer[]::new));
    }
  }

  private void checkTournament(VectorCase vector) {
    double sign = vector.input("mode").asText().equals("min") ? -1 : 1;
    double[][] pairs = vector.matrix("pairs");
    boolean[] copies = new boolean[pairs.length];
    IntStream.range(0, pairs.length)
        .forEach(i -> copies[i] = ExploitDecision.copies(sign * pairs[i][0], sign * pairs[i][1]));
    vector.expect("copy", copies);
  }

  private static Hyperparameter.Range range(VectorCase vector, Hyperparameter.Scale scale) {
    return new Hyperparameter.Range(vector.number("min"), vector.number("max"), scale, false);
  }

  private void checkPerturb(VectorCase vector) {
    double[] values = vector.doubles("value");
    double[] shares = vector.doubles("u");
    Hyperparameter.Range range = range(vector, Hyperparameter.Scale.LOG);
    double[] moved = new double[values.length];
    Arrays.setAll(moved, i -> range.moved(values[i], shares[i], vector.number("factor")));
    vector.expect("new", moved);
  }

  private void checkResample(VectorCase vector) {
    for (Hyperparameter.Scale scale : Hyperparameter.Scale.values()) {
      Hyperparameter.Range range = range(vector, scale);
      vector.expect(
          scale.name().toLowerCase(Locale.ROOT),
          Arrays.stream(vector.doubles("u")).map(range::number).toArray());
    }
  }

  private void checkChoice(VectorCase vector) {
    Hyperparameter.Choice choice = new Hyperparameter.Choice(vector.texts("values"));
    double share = vector.input("move").asText().equals("left") ? 0.9 : 0.1;
    String moved = choice.neighbour(vector.input("current").asText(), share, 1.2);
    vector.expect("recommended", Integer.parseInt(moved));
  }

  private void checkQuorum(VectorCase vector) {
    ScoreQuorum quorum =
        new ScoreQuorum(
            vector.integer("population"),
            vector.number("ready_percentage"),
            vector.integer("min_ready"),
            vector.integer("max_wait"));
    List<String> decisions = new ArrayList<>();
    int failed = 0;
    for (int ready : vector.integers("ready_counts")) {
      ScoreQuorum.Check check = quorum.check(ready, failed);
      failed = check.failed();
      decisions.add(check.verdict().name().toLowerCase(Locale.ROOT));
    }
    List<String> expected = new ArrayList<>();
    vector.expected("decisions").forEach(decision -> expected.add(decision.asText()));
    assertThat(decisions).isEqualTo(expected);
    vector.expect("failed_counter_end", failed);
  }

  private void checkScores(VectorCase vector) {
    ScoreSummary scores = ScoreSummary.of(vector.doubles("performance"));
    vector.expect("pbt/population_size", scores.members());
    vector.expect("pbt/ready_members", scores.ready());
    vector.expect("pbt/mean_performance", scores.mean());
    vector.expect("pbt/std_performance", scores.std());
    vector.expect("pbt/min_performance", scores.min());
    vector.expect("pbt/max_performance", scores.max());
  }

  /** With real trainers: what the first update after a copy says it used. */
  private void checkLearningRate(VectorCase vector) {
    EnvironmentFactory factory = EnvironmentRegistry.byName("CartPole-v1");
    String floor = "optimizer.minLearningRate=" + vector.number("lr_floor");
    StateMap state = new StateMap();
    try (Trainer source =
        new Trainer(
            SmallRuns.of(
                RunConfig.defaults(),
                floor,
                "optimizer.learningRate=" + vector.number("source_lr")),
            factory)) {
      source.iterate();
      source.save(state);
    }
    double[] scales = vector.doubles("group_lr_scales");
    for (String strategy : List.of("reset", "copy")) {
      String rate = "optimizer.learningRate=" + vector.number("member_lr_after_explore");
      try (Trainer member =
          new Trainer(SmallRuns.of(RunConfig.defaults(), "seed=2", floor, rate), factory)) {
        member.adopt(state, strategy.equals("copy"));
        MetricRow row = member.iterate();
        double used = row.values().get("train/learning_rate");
        vector.expect(
            strategy + "_group_lrs", DoubleStream.of(scales).map(scale -> scale * used).toArray());
        vector.expect("schedule_base_lr", row.values().get("train/lr_base"));
      }
    }
  }
}
