package io.quantail.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sound configurations pass, whatever they use; an environment that breaks is a failure. */
@Requirement("AUDIT-1")
class AuditTest {
  private static final Set<String> SLOW = Set.of("settings", "repetition");

  @ParameterizedTest
  @CsvSource({
    "CartPole-v1, critic.type=categorical, risk.mode=off, optimizer.name=upgdw",
    "Pendulum-v1, critic.clip.mode=per-quantile, risk.mode=policy, optimizer.name=sgd",
    "Pendulum-v1, critic.clip.mode=mean-and-variance, network.squash=none, network.sharedMemory=true",
    "DelayedCue-v0, critic.twin=false, network.layers=2, ppo.cloning.coefficient=0.1",
    "CartPole-v1, network.headUnits=12, network.hidden=20, ppo.entropy.coefficient=0.01",
    "CartPole-v1, network.memory=none, network.activation=gelu, ppo.kl.penalty=0.1",
    "Pendulum-v1, network.headLayers=1, network.sharedMemory=true, network.activation=tanh",
    "Pendulum-v1, critic.targets=gae, critic.meanHead=false, risk.method=interpolated",
    "CartPole-v1, critic.particles=3, critic.targetLambda=0.5, critic.huberKappa=0.1",
    "MaskedRecall-v0, robust.mode=state-adversarial, ppo.kl.penalty=0.1, ppo.cloning.coefficient=0.1",
    "RepeatMixed-v0, robust.mode=state-adversarial, robust.attackedShare=0.5, ppo.entropy.coefficient=0.01"
  })
  void shouldPassSoundConfigurations(String task, String first, String second, String third) {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), "risk.limit=0.1", first, second, third);
    try (AuditSubject subject =
        new AuditSubject(config, EnvironmentRegistry.byName(task), Optional.empty())) {
      List<AuditFinding> findings =
          Audit.run(subject, check -> !SLOW.contains(check.topic()), check -> {}).checks();

      assertThat(findings).hasSizeGreaterThan(40).noneMatch(AuditFinding::failed);
      assertThat(
              findings.stream()
                  .filter(finding -> finding.verdict() == AuditOutcome.Status.PASS)
                  .count())
          .isGreaterThan(30);
    }
  }

  @Test
  void shouldNameEveryCheckOnceAndSayWhatItConcerns() {
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (AuditSubject subject =
        new AuditSubject(config, EnvironmentRegistry.byName("CartPole-v1"), Optional.empty())) {
      List<AuditCheck> checks = Audit.checks(subject);

      assertThat(checks.stream().map(AuditCheck::name).collect(Collectors.toSet()))
          .hasSameSizeAs(checks);
      assertThat(checks).noneMatch(check -> check.requirements().isEmpty());
    }
  }

  @Test
  void shouldTakeAnExceptionForAFailureAndGoOn() {
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (AuditSubject subject =
        new AuditSubject(config, index -> new BrokenTask(), Optional.empty())) {
      List<AuditFinding> findings =
          Audit.run(
                  subject,
                  check -> Set.of("gae", "clipped-surrogate").contains(check.name()),
                  check -> {})
              .checks();

      assertThat(findings)
          .extracting(AuditFinding::verdict)
          .containsExactly(AuditOutcome.Status.FAIL, AuditOutcome.Status.PASS);
      assertThat(findings.get(0).detail()).contains("out of order");
    }
  }

  private static final class BrokenTask implements Environment {
    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.of(1);
    }

    @Override
    public ActionSpace actionSpace() {
      return new ActionSpace.Discrete(2);
    }

    @Override
    public float[] reset(RandomStream random) {
      return new float[1];
    }

    @Override
    public Step step(Action action) {
      throw new IllegalStateException("out of order");
    }
  }
}
