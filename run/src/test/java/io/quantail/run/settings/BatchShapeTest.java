package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.PpoConfig;
import io.quantail.config.RunConfig;
import io.quantail.testing.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BatchShapeTest {
  private static final Pattern PROPOSAL = Pattern.compile("^(\\S+) must .*; (\\d+) would work$");

  @Example
  @Requirement("CLI-2")
  void shouldNameBothSettingsAndProposeOneThatWorks() {
    assertThatThrownBy(() -> parse("rollout.steps=100"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("ppo.sequenceLength must divide rollout.steps (100), was 32; 25 would work");
    assertThatThrownBy(() -> parse("ppo.batchSize=100"))
        .hasMessage(
            "ppo.batchSize must be a multiple of ppo.sequenceLength (32), was 100; 64 would work");
    assertThatThrownBy(() -> parse("ppo.batchSize=4096"))
        .hasMessage(
            "ppo.batchSize must divide rollout.steps * environment.count (128 * 16), was 4096;"
                + " 2048 would work");
    assertThatThrownBy(() -> parse("environment.count=3"))
        .hasMessage(
            "ppo.batchSize must divide rollout.steps * environment.count (128 * 3), was 256;"
                + " 192 would work");
    assertThatThrownBy(() -> parse("ppo.microbatches=9"))
        .hasMessage(
            "ppo.microbatches must be at most ppo.batchSize / ppo.sequenceLength (256 / 32),"
                + " was 9; 8 would work");
  }

  @Example
  void shouldProposeOneWindowWhenBatchIsShorterThanThat() {
    assertThatThrownBy(() -> parse("ppo.batchSize=10"))
        .hasMessageEndingWith("(32), was 10; 32 would work");
  }

  @Example
  void shouldNotOverflowForLargeRollouts() {
    // As an int the product 3 * 2^20 * 1000 wraps to a number that 96 does not divide.
    RunConfig config = parse("rollout.steps=3145728", "environment.count=1000", "ppo.batchSize=96");

    assertThat(config.ppo().batchSize()).isEqualTo(96);
  }

  @Property(tries = 300)
  void shouldEndInAnAcceptedConfigurationWhenProposalsAreFollowed(
      @ForAll @IntRange(min = 1, max = 600) int steps,
      @ForAll @IntRange(min = 1, max = 40) int environments,
      @ForAll @IntRange(min = 1, max = 700) int window,
      @ForAll @IntRange(min = 1, max = 5000) int batch,
      @ForAll @IntRange(min = 1, max = 64) int microbatches) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rollout.steps", "" + steps);
    settings.put("environment.count", "" + environments);
    settings.put("ppo.sequenceLength", "" + window);
    settings.put("ppo.batchSize", "" + batch);
    settings.put("ppo.microbatches", "" + microbatches);
    for (int proposals = 0; proposals < 4; proposals++) {
      try {
        parse(settings);
        break;
      } catch (ConfigException refused) {
        Matcher proposal = PROPOSAL.matcher(refused.getMessage());
        assertThat(proposal.matches()).as(refused.getMessage()).isTrue();
        settings.put(proposal.group(1), proposal.group(2));
      }
    }

    PpoConfig ppo = parse(settings).ppo();

    assertThat(steps % ppo.sequenceLength()).isZero();
    assertThat(ppo.batchSize() % ppo.sequenceLength()).isZero();
    assertThat(steps * environments % ppo.batchSize()).isZero();
    assertThat(ppo.microbatches()).isLessThanOrEqualTo(ppo.batchSize() / ppo.sequenceLength());
  }

  private static RunConfig parse(Map<String, String> settings) {
    return parse(
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new));
  }

  private static RunConfig parse(String... overrides) {
    return YamlConfig.parse("", "test.yaml", List.of(overrides));
  }
}
