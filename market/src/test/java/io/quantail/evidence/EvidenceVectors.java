package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.evidence.TrialCount.Trial;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.CombinatorialSplitter;
import io.quantail.market.split.PurgedSplit;
import io.quantail.math.Moments;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Luck, tail tests, verdicts and the ledger's arithmetic. */
public final class EvidenceVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    Map<String, VectorCheck> checks = new TreeMap<>();
    checks.put("deflated_sharpe", this::checkSharpe);
    checks.put("min_track_record", this::checkSharpe);
    checks.put("returns_", refused(this::checkSharpe));
    checks.put("effective_trials", this::checkTrials);
    checks.put("backtest_overfitting", this::checkOverfitting);
    checks.put("purged_paths", this::checkPaths);
    checks.put("purged_segments", refused(this::checkSegments));
    checks.put("block_length", this::checkBlockLength);
    checks.put("bootstrap_of_the_tail", this::checkTailBootstrap);
    checks.put("sharpe_difference", this::checkSharpeDifference);
    checks.put("exceedances", this::checkExceedances);
    checks.put("traffic_light", this::checkTrafficLight);
    checks.put("acerbi_szekely", this::checkDepth);
    checks.put("score_of_var_and_cvar", this::checkScore);
    checks.put("cvar_standard_error", this::checkTailEstimate);
    checks.put("limit_verdict", this::checkVerdict);
    checks.put("rolling_and_worst_year", this::checkWorst);
    checks.put("ledger_chunks", this::checkDays);
    checks.put("ledger_count", this::checkCount);
    return checks;
  }

  /** A check whose vectors may expect a refusal, by its kind. */
  private static VectorCheck refused(VectorCheck check) {
    return vector -> {
      if (!vector.expects("error")) {
        check.check(vector);
        return;
      }
      String kind = "no refusal";
      try {
        check.check(vector);
      } catch (EvidenceException refusal) {
        kind = refusal.kind().id();
        assertThat(refusal.getMessage()).doesNotContain("NaN");
      }
      vector.expect("error", kind);
    };
  }

  private void checkSharpe(VectorCase vector) {
    SharpeStatistics statistics = SharpeStatistics.of(vector.doubles("returns"));
    double reference = vector.number("benchmark_sharpe");
    double effective = vector.number("effective_trials");
    double variance = vector.number("trial_variance");
    vector.expect("n", statistics.n());
    vector.expect("sharpe", statistics.sharpe());
    vector.expect("skewness", statistics.skewness());
    vector.expect("kurtosis", statistics.kurtosis());
    vector.expect("psr", statistics.probabilistic(reference));
    vector.expect(
        "expected_max_sharpe",
        SharpeStatistics.expectedMaximum(effective, variance, statistics.n()));
    vector.expect("dsr", statistics.deflated(effective, variance));
    vector.expect("p_max", statistics.bestOfTrialsPValue(vector.number("trials")));
    vector.expect(
        "min_track_record", statistics.minimumTrackRecord(vector.number("confidence"), reference));
  }

  private void checkTrials(VectorCase vector) {
    EffectiveTrials trials =
        EffectiveTrials.of(vector.matrix("trial_returns"), vector.doubles("benchmark_returns"));
    vector.expect("trials", trials.trials());
    vector.expect("beta", trials.beta());
    vector.expect("mean_correlation", trials.meanCorrelation());
    vector.expect("effective_trials", trials.effective());
  }

  private void checkOverfitting(VectorCase vector) {
    BacktestOverfitting result =
        BacktestOverfitting.of(vector.matrix("returns"), vector.integer("blocks"));
    vector.expect("combinations", result.combinations());
    vector.expect("dropped_rows", result.droppedRows());
    vector.expect("pbo", result.probability());
    vector.expect("mean_logit", result.meanLogit());
    vector.expect("loss_probability", result.lossProbability());
    vector.expect("degradation_slope", result.degradationSlope());
  }

  private void checkPaths(VectorCase vector) {
    int groups = vector.integer("groups");
    int tested = vector.integer("test_groups");
    double[][] splits =
        CombinatorialSplitter.choices(groups, tested).stream()
            .map(choice -> choice.stream().mapToDouble(Integer::doubleValue).toArray())
            .toArray(double[][]::new);
    vector.expect("splits", splits);
    vector.expect("paths", doubles(CombinatorialSplitter.paths(groups, tested)));
  }

  private static double[][] doubles(int[][] rows) {
    return Arrays.stream(rows)
        .map(row -> Arrays.stream(row).asDoubleStream().toArray())
        .toArray(double[][]::new);
  }

  private void checkSegments(VectorCase vector) {
    int bars = vector.integer("bars");
    int groups = vector.integer("groups");
    List<PurgedSplit> splits =
        CombinatorialSplitter.splits(
            bars,
            groups,
            vector.integer("test_groups"),
            vector.integer("purge_bars"),
            vector.integer("embargo_bars"));
    vector.expect("edges", CombinatorialSplitter.edges(bars, groups));
    JsonNode expected = vector.expected("train");
    assertThat(splits).hasSize(expected.size());
    for (int split = 0; split < expected.size(); split++) {
      vector.compareWith("train " + split, expected.get(split), bounds(splits.get(split).train()));
    }
  }

  private static double[] bounds(List<BarRange> ranges) {
    return ranges.stream()
        .flatMapToDouble(range -> DoubleStream.of(range.from(), range.to()))
        .toArray();
  }

  private void checkBlockLength(VectorCase vector) {
    BlockLength block = BlockLength.of(vector.doubles("series"));
    vector.expect("block_length", block.length());
    vector.expect(
        "first_insignificant",
        block.firstInsignificant().isPresent()
            ? block.firstInsignificant().getAsInt()
            : Double.NaN);
    vector.expect("bandwidth", block.bandwidth());
  }

  private void checkTailBootstrap(VectorCase vector) {
    double[] returns = vector.doubles("returns");
    double[][] restart = vector.matrix("restart_uniforms");
    double[][] start = vector.matrix("start_uniforms");
    double length = vector.number("block_length");
    int[][] indices = new int[restart.length][returns.length];
    for (int i = 0; i < indices.length; i++) {
      StationaryBootstrap.fill(indices[i], length, uniforms(restart[i], start[i]));
    }
    vector.expect("indices", doubles(indices));
    TailBootstrap tail =
        TailBootstrap.of(
            returns, vector.number("alpha"), vector.integer("bandwidth"), given(indices));
    vector.expect("replicates", tail.replicates());
    vector.expect("percentile_interval", bounds(tail.percentileInterval()));
    vector.expect("cvar", tail.estimate().cvar());
    vector.expect("iid_standard_error", tail.estimate().independentError());
    vector.expect("standard_error", tail.standardError());
    vector.expect("log_t", tail.logT());
    vector.expect("interval", bounds(tail.interval()));
  }

  private static StationaryBootstrap.Uniforms uniforms(double[] restart, double[] start) {
    return new StationaryBootstrap.Uniforms() {
      @Override
      public double restart(int step) {
        return restart[step];
      }

      @Override
      public double start(int step) {
        return start[step];
      }
    };
  }

  private static Resamples given(int[][] indices) {
    return new Resamples() {
      @Override
      public int count() {
        return indices.length;
      }

      @Override
      public void fill(int resample, int[] target) {
        System.arraycopy(indices[resample], 0, target, 0, target.length);
      }
    };
  }

  private static double[] bounds(ConfidenceInterval interval) {
    return new double[] {interval.low(), interval.high()};
  }

  private void checkSharpeDifference(VectorCase vector) {
    double[] agent = vector.doubles("agent");
    double[] benchmark = vector.doubles("benchmark");
    int[][] indices =
        Arrays.stream(vector.matrix("indices"))
            .map(row -> Arrays.stream(row).mapToInt(index -> (int) index).toArray())
            .toArray(int[][]::new);
    SharpeDifference.Replicates replicates = SharpeDifference.Replicates.of(agent, benchmark);
    replicates.draw(given(indices));
    SharpeDifference result = replicates.result();
    vector.expect("block_length", result.blockLength());
    vector.expect("bandwidth", replicates.bandwidth);
    vector.expect("difference", result.difference());
    vector.expect("standard_error", result.standardError());
    vector.expect("replicates", replicates.differences);
    vector.expect("studentised", replicates.studentised);
    vector.expect("interval", bounds(result.interval()));
    vector.expect("p_value", result.pValue());
    MeanDifference mean =
        MeanDifference.of(MeanDifference.differences(agent, benchmark), 1, given(indices));
    vector.expect("mean_difference", mean.difference());
    vector.expect("mean_interval", bounds(mean.interval()));
    vector.expect("mean_share_above_0", mean.fractionAbove0());
  }

  private void checkExceedances(VectorCase vector) {
    VarCoverage test = VarCoverage.of(vector.flags("exceedances"), vector.number("alpha"));
    Exceedances counts = test.exceedances();
    vector.expect("n", counts.n());
    vector.expect("exceedances", counts.count());
    vector.expect(
        "transitions", new int[] {counts.n00(), counts.n01(), counts.n10(), counts.n11()});
    vector.expect("lr_uc", test.coverageRatio());
    vector.expect("p_uc_exact", test.coveragePValue());
    vector.expect("p_uc_chi2", test.coverageChi2());
    vector.expect("lr_ind", test.independenceRatio());
    vector.expect("p_ind_chi2", test.independenceChi2());
    vector.expect("lr_cc", test.conditionalRatio());
    vector.expect("p_cc_chi2", test.conditionalChi2());
    vector.expect("cumulative", test.cumulative());
    vector.expect("light", test.light().id());
  }

  private void checkTrafficLight(VectorCase vector) {
    int[][] borders =
        Arrays.stream(vector.matrix("cases"))
            .map(each -> TrafficLight.borders((int) each[0], each[1]))
            .toArray(int[][]::new);
    vector.expect("borders", doubles(borders));
  }

  private void checkDepth(VectorCase vector) {
    double[] levels = vector.doubles("levels");
    double alpha = vector.number("alpha");
    double[][] uniforms = vector.matrix("uniforms");
    List<QuantileForecast> forecasts =
        Arrays.stream(vector.matrix("quantiles"))
            .map(quantiles -> new QuantileForecast(levels, quantiles))
            .toList();
    double[] var = forecasts.stream().mapToDouble(one -> one.quantile(alpha)).toArray();
    double[] cvar = forecasts.stream().mapToDouble(one -> one.cvar(alpha)).toArray();
    vector.expect("var", var);
    vector.expect("cvar", cvar);
    double depth = TailSimulation.depth(vector.doubles("returns"), var, cvar, alpha);
    vector.expect("z2", depth);
    TailSimulation simulation =
        TailSimulation.of(forecasts, new double[] {alpha}, given(uniforms)).get(0);
    vector.expect("simulated", simulation.depths());
    vector.expect("critical_5", simulation.criticalDepth());
    vector.expect("p_value", simulation.depthPValue(depth));
  }

  private static TailSimulation.Paths given(double[][] uniforms) {
    return new TailSimulation.Paths() {
      @Override
      public int count() {
        return uniforms.length;
      }

      @Override
      public void fill(int path, double[] target) {
        System.arraycopy(uniforms[path], 0, target, 0, target.length);
      }
    };
  }

  private void checkScore(VectorCase vector) {
    double[] scores =
        TailScore.of(
            vector.doubles("returns"),
            vector.doubles("var"),
            vector.doubles("cvar"),
            vector.number("alpha"));
    vector.expect("scores", scores);
    vector.expect("mean_score", Moments.mean(scores));
  }

  private void checkTailEstimate(VectorCase vector) {
    double[] returns = vector.doubles("returns");
    List<TailEstimate> estimates =
        Arrays.stream(vector.doubles("alphas"))
            .mapToObj(alpha -> TailEstimate.of(returns, alpha))
            .toList();
    vector.expect("count", estimates.stream().mapToInt(TailEstimate::tailCount).toArray());
    vector.expect("quantile", estimates.stream().mapToDouble(TailEstimate::quantile).toArray());
    vector.expect("cvar", estimates.stream().mapToDouble(TailEstimate::cvar).toArray());
    vector.expect(
        "standard_error", estimates.stream().mapToDouble(TailEstimate::independentError).toArray());
  }

  private void checkVerdict(VectorCase vector) {
    List<String> verdicts = new ArrayList<>();
    for (JsonNode one : vector.input("cases")) {
      ConfidenceInterval interval =
          new ConfidenceInterval(one.get("low").doubleValue(), one.get("high").doubleValue());
      Verdict verdict =
          Verdict.of(one.get("limit").doubleValue(), interval, one.get("tail_count").intValue());
      verdicts.add(verdict.id());
    }
    List<String> expected = new ArrayList<>();
    vector.expected("verdicts").forEach(verdict -> expected.add(verdict.asText()));
    assertThat(verdicts).isEqualTo(expected);
  }

  private void checkWorst(VectorCase vector) {
    double[] returns = vector.doubles("returns");
    double alpha = vector.number("alpha");
    long[] closes = millis(vector.input("close_ms"), Function.identity());
    YearlyCvar yearly = YearlyCvar.of(returns, closes, alpha, vector.integer("minimum_per_year"));
    assertThat(yearly.years()).hasSize(vector.expected("years").size());
    vector.expectEntries(
        "years", year -> yearly.years().get(Integer.valueOf(year)).cvar().orElse(Double.NaN));
    vector.expectEntries("counts", year -> yearly.years().get(Integer.valueOf(year)).count());
    vector.expect("worst_year", Integer.toString(yearly.worst().orElseThrow()));
    RollingCvar rolling =
        RollingCvar.of(returns, alpha, vector.integer("window"), vector.number("limit"))
            .orElseThrow();
    vector.expect("worst_rolling", rolling.worst());
    vector.expect("worst_rolling_last_index", rolling.worstLast());
    vector.expect("rolling_share_beyond", rolling.fractionBeyond());
  }

  private void checkDays(VectorCase vector) {
    expectHashes(vector, "bars", "chunks");
    expectHashes(vector, "one_more_bar", "chunks_one_more_bar");
    expectHashes(vector, "prices_doubled", "chunks_prices_doubled");
  }

  private static void expectHashes(VectorCase vector, String input, String field) {
    JsonNode bars = vector.input(input);
    List<String> hashes =
        BarDays.hashes(
            millis(bars, bar -> bar.get(0)),
            column(bars, 1),
            column(bars, 2),
            column(bars, 3),
            column(bars, 4));
    List<String> expected = new ArrayList<>();
    vector.expected(field).forEach(hash -> expected.add(hash.asText()));
    assertThat(hashes).as("%s: %s", vector.name(), field).isEqualTo(expected);
  }

  private static double[] column(JsonNode bars, int column) {
    return IntStream.range(0, bars.size())
        .mapToDouble(t -> bars.get(t).get(column).doubleValue())
        .toArray();
  }

  private static long[] millis(JsonNode rows, Function<JsonNode, JsonNode> cell) {
    return IntStream.range(0, rows.size())
        .mapToLong(t -> cell.apply(rows.get(t)).longValue())
        .toArray();
  }

  private void checkCount(VectorCase vector) {
    List<Trial> entries = trials(vector.input("entries"));
    int[] counts =
        trials(vector.input("asked")).stream()
            .mapToInt(asked -> TrialCount.of(entries, asked))
            .toArray();
    vector.expect("trials", counts);
  }

  private static List<Trial> trials(JsonNode nodes) {
    List<Trial> trials = new ArrayList<>();
    for (JsonNode node : nodes) {
      Set<String> days = new HashSet<>();
      node.get("chunks").forEach(day -> days.add(day.asText()));
      trials.add(new Trial(node.get("settings").asText(), node.get("seed").asLong(), days));
    }
    return trials;
  }
}
