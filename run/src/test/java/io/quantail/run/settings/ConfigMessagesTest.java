package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quantail.config.ConfigException;
import io.quantail.config.SettingRules;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact messages users see; each is one line. */
@Requirement("CLI-2")
class ConfigMessagesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ppo: {clipRnage: 1} | ppo.clipRnage in run.yaml; did you mean ppo.clipRange?",
        "ppo: {clip_range: 1} | ppo.clip_range in run.yaml; did you mean ppo.clipRange?",
        "pop: {epochs: 1} | pop in run.yaml; did you mean ppo?",
        "gamma: 0.9 | gamma in run.yaml; did you mean rollout.gamma?",
        "learning_rate: 0.1 | learning_rate in run.yaml; did you mean optimizer.learningRate?",
        "rollout.gamma: 0.9 | rollout.gamma in run.yaml; did you mean rollout.gamma?",
        "training: {xyz: 1} | training.xyz in run.yaml; allowed here: steps, threads,"
            + " snapshotUpdates, maxRefusedUpdates, measuredShare, validationUpdates,"
            + " validationEpisodes, keep, patience",
      })
  void shouldSuggestForUnknownSetting(String yaml, String expected) {
    assertThat(message(yaml)).isEqualTo("unknown setting " + expected);
  }

  @Test
  void shouldNameOverridesAsSourceOfUnknownSetting() {
    assertThat(message("", "ppo.kl.traget=1"))
        .isEqualTo("unknown setting ppo.kl.traget in --set; did you mean ppo.kl.target?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ppo.epochs=ten | ppo.epochs must be a whole number, was \"ten\"",
        "ppo.epochs=1.5 | ppo.epochs must be a whole number, was 1.5",
        "ppo.epochs=[1] | ppo.epochs must be a whole number, was a list",
        "ppo.epochs={x: 1} | ppo.epochs must be a whole number, was a section",
        "ppo.epochs=true | ppo.epochs must be a whole number, was true",
        "ppo.epochs=null | ppo.epochs needs a value, was null",
        "ppo.epochs= | ppo.epochs needs a value, was null",
        "ppo.epochs=99999999999 | ppo.epochs must be a whole number in [-2147483648, 2147483647],"
            + " was 99999999999",
        "ppo.epochs=1e999999999 | ppo.epochs must be a whole number in [-2147483648, 2147483647],"
            + " was 1E+999999999",
        "ppo.clipRange=wide | ppo.clipRange must be a finite number, was \"wide\"",
        "ppo.clipRange=null | ppo.clipRange needs a value, was null",
        "ppo.clipRange=1e999 | ppo.clipRange must be a finite number, was 1E+999",
        "critic.twin=yes | critic.twin must be true or false, was \"yes\"",
        "critic.twin=1 | critic.twin must be true or false, was 1",
        "environment.name=12 | environment.name must be text, was 12",
        "environment.faults.policy=retry | environment.faults.policy must be one of fail, restart,"
            + " was \"retry\"",
        "environment.faults=restart | environment.faults must be a section with settings (policy,"
            + " stepDeadlineSeconds, maxRestartsPerEnvironment, maxRestarts), was \"restart\"",
        "network.memory=gru | network.memory must be one of lstm, none, was \"gru\"",
        "network.memory=lstn | network.memory must be one of lstm, none, was \"lstn\"; did you mean"
            + " lstm?",
        "critic.type=c51 | critic.type must be one of quantile, categorical, was \"c51\"",
        "critic.targets=sarsa | critic.targets must be one of distribution, gae, was \"sarsa\"",
        "critic.clip.mode=mean | critic.clip.mode must be one of disable, mean-only,"
            + " mean-and-variance, per-quantile, was \"mean\"",
        "network.memory=3 | network.memory must be one of lstm, none, was 3",
        "returns.mode=zscor | returns.mode must be one of z-score, scale, was \"zscor\"; did you"
            + " mean z-score?",
        "returns.spread=median | returns.spread must be one of std, mad, was \"median\"",
        "risk.mode=polic | risk.mode must be one of off, penalty, constraint, policy, was"
            + " \"polic\"; did you mean policy?",
        "robust.mode=adversarial | robust.mode must be one of off, state-adversarial, was"
            + " \"adversarial\"",
        "robust.fixedFeatures=[1, -2] | robust.fixedFeatures must be at least 0, was -2",
        "risk.mode=policy | risk.limit needs a number when risk.mode is policy, for example -0.02;"
            + " was null",
        "risk={mode: constraint, limit: -1, measure: episodes} | risk.measure must be returns when"
            + " risk.mode is constraint, which acts on what the critics predict; was episodes",
        "risk={mode: penalty, limit: -1} | risk.measure must be returns when risk.mode is penalty,"
            + " which acts on what the critics predict; was rewards",
        "optimizer.name=adan | optimizer.name must be one of adam, adamw, sgd, upgd, adaptive-upgd,"
            + " upgdw, was \"adan\"; did you mean adam?",
        "optimizer.name=AdaptivUPGD | optimizer.name must be one of adam, adamw, sgd, upgd,"
            + " adaptive-upgd, upgdw, was \"AdaptivUPGD\"; did you mean adaptive-upgd?",
        "optimizer.vgs.measure=element | optimizer.vgs.measure must be one of elementwise, mean,"
            + " norm, pooled, was \"element\"",
        "ppo=3 | ppo must be a section with settings (epochs, batchSize, microbatches,"
            + " sequenceLength, clipRange, clipRangeWarmup, clipRangeWarmupUpdates, ratioBound, kl,"
            + " entropy, cloning), was 3",
        "training= | training must be a section with settings (steps, threads, snapshotUpdates,"
            + " maxRefusedUpdates, measuredShare, validationUpdates, validationEpisodes, keep,"
            + " patience), was null",
        "seed | --set needs path=value, for example ppo.clipRange=0.1, was \"seed\"",
        "=3 | --set needs path=value, for example ppo.clipRange=0.1, was \"=3\"",
        "environment.name=\"\" | environment.name must not be blank",
      })
  void shouldRefuseWrongType(String override, String expected) {
    assertThat(message("", override)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"ppo.clipRange", "ppo.kl.target", "optimizer.maxGradientNorm"})
  void shouldRefuseNonFiniteNumbers(String path) {
    for (String written : List.of(".nan", ".inf", "-.inf", "NaN", "Infinity")) {
      assertThat(message("", path + "=" + written))
          .isEqualTo("%s must be a finite number, was \"%s\"", path, written);
    }
  }

  @Test
  void shouldRefuseMalformedDocument() {
    assertThat(message("seed: 1\nseed: 2"))
        .isEqualTo("run.yaml, line 2, column 1: setting seed is given twice");
    assertThat(message("ppo:\n  epochs: 1\n  epochs: 2"))
        .isEqualTo("run.yaml, line 3, column 3: setting ppo.epochs is given twice");
    assertThat(message("- 1\n- 2"))
        .isEqualTo("run.yaml must contain settings such as \"seed: 1\", was a list");
    assertThat(message("hello"))
        .isEqualTo("run.yaml must contain settings such as \"seed: 1\", was \"hello\"");
    assertThat(message("seed: 1\n---\nseed: 2"))
        .isEqualTo("run.yaml must contain one YAML document, not several");
  }

  @Test
  void shouldPlaceSyntaxErrors() {
    assertThat(message("seed: 1\nppo: [1, 2\n")).startsWith("run.yaml, line 3, column 1: ");
    assertThat(message("seed: 1\n\tppo: 2\n")).startsWith("run.yaml, line 2, column 1: ");
    assertThat(message("seed: &a 1\ntraining: {steps: *a}"))
        .isEqualTo("run.yaml, line 2, column 19: aliases are not supported, write the value out");
    assertThat(message("seed: !!binary aGk="))
        .isEqualTo("run.yaml, line 1, column 7: binary values are not supported");
  }

  @Test
  void shouldStayOnOneLineWhateverTheKey() {
    assertThat(message("\"a\\nb\": 1")).startsWith("unknown setting a b in run.yaml;");
  }

  private static String message(String yaml, String... overrides) {
    Throwable thrown = catchThrowable(() -> YamlConfig.parse(yaml, "run.yaml", List.of(overrides)));
    assertThat(thrown).isInstanceOf(ConfigException.class);
    assertThat(thrown.getMessage()).doesNotContain("\n");
    return thrown.getMessage();
  }

  @ParameterizedTest
  @CsvSource({"per_quantile, per-quantile", "mean_and_variance, mean-and-variance"})
  @Requirement("VFC-1")
  void shouldNameBothSettingsWhenACriticCannotBeClippedThatWay(String mode, String written) {
    assertThat(message("", "critic.type=categorical", "critic.clip.mode=" + mode))
        .isEqualTo(
            "critic.clip.mode must be disable or mean-only when critic.type is categorical, was "
                + written
                + "; change it or set critic.type to quantile");
  }

  @ParameterizedTest
  @ValueSource(strings = {"penalty", "constraint"})
  @Requirement("CVAR-3")
  void shouldRefuseALimitOnPredictionsThatCannotReachThePolicy(String mode) {
    String limit = "risk={mode: %s, limit: -1, measure: returns}".formatted(mode);
    assertThat(message("", limit))
        .isEqualTo(
            ("risk.mode %s acts on the critics alone while network.sharedMemory is false, so the"
                    + " policy would not learn the limit; set network.sharedMemory to true, or"
                    + " risk.mode to policy")
                .formatted(mode));
    assertThat(
            YamlConfig.parse("", "run.yaml", List.of(limit, "network.sharedMemory=true"))
                .risk()
                .limit())
        .isEqualTo(-1);
    YamlConfig.parse("format: " + SettingRules.FORMAT, "config.yaml", List.of(limit)); // stored
  }
}
