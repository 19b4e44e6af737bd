package io.quantail.app.report;

import io.quantail.run.TrainedAgent;
import io.quantail.run.evaluation.ValidationPass;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a run that every report shows. There are no times of day and no durations, so that
 * equal runs have equal facts.
 *
 * @param name of the run directory
 * @param environment name of the run's environment
 * @param seed of the run
 * @param steps environment steps of training
 * @param updates policy updates of training
 * @param settings all settings
 * @param versions by the name of the library
 * @param curves metrics of training among {@link #DRAWN}, over environment steps
 * @param notices alerts of the run
 * @param agent which agent the run keeps, and why its training ended
 * @param cost of the limit; null if it was not measured
 */
public record RunFacts(
    String name,
    String environment,
    long seed,
    long steps,
    long updates,
    List<SettingRow> settings,
    Map<String, String> versions,
    List<Curve> curves,
    List<AlertNotice> notices,
    TrainedAgent agent,
    @Nullable LimitCost cost) {
  /** Metrics that reports draw, with their titles; see docs/reference/metrics.md. */
  public static final Map<String, String> DRAWN = drawn();

  private static Map<String, String> drawn() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("rollout/ep_rew_mean", "Mean return of episodes");
    names.put(ValidationPass.SCORE, "Return of validation passes");
    names.put("train/explained_variance", "Explained variance of the critics");
    names.put("train/policy_entropy", "Entropy of the policy, nats");
    names.put("train/approx_kl_k3", "Change of the policy per update (KL), nats");
    names.put("train/cvar_empirical", "CVaR measured in training");
    names.put("train/cvar_lambda", "Multiplier of the limit");
    return Collections.unmodifiableMap(names);
  }

  /** What the limit cost in sentences; empty if it was not measured. */
  List<String> costSentences() {
    return cost == null ? List.of() : cost.sentences();
  }
}
