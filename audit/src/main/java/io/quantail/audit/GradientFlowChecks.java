package io.quantail.audit;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.config.NetworkConfig;
import io.quantail.config.PpoConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.network.Parameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Parts of the network that the gradient of each term of the loss reaches. */
final class GradientFlowChecks {
  private GradientFlowChecks() {}

  static boolean criticsAreFree(AuditSubject subject) {
    RiskConfig.Mode mode = subject.config().risk().mode();
    return mode != RiskConfig.Mode.PENALTY && mode != RiskConfig.Mode.CONSTRAINT;
  }

  static boolean noEntropy(AuditSubject subject) {
    PpoConfig.Entropy entropy = subject.config().ppo().entropy();
    return entropy.coefficient().is(0)
        && entropy.minimum() == 0
        && entropy.finalCoefficient() == null;
  }

  /** Computes the gradient of one term alone and its norm in every part of the network. */
  static AuditOutcome flow(AuditSubject subject, String term) {
    SampleRollout sample = subject.own();
    boolean risk = term.equals("risk");
    ReferenceTargets targets = ReferenceTargets.of(sample);
    RunConfig config =
        UpdateProbe.plainStep(
            sample,
            "ppo.microbatches=1",
            "critic.coefficient=" + (term.equals("critic") ? 1 : 0),
            "ppo.entropy.coefficient=" + (term.equals("entropy") ? 1 : 0),
            "ppo.entropy.finalCoefficient=null",
            "ppo.entropy.minimum=0",
            "ppo.cloning.coefficient=0",
            "ppo.kl.penalty=0",
            "risk.mode=" + (risk ? "constraint" : "off"),
            "risk.measure=" + (risk ? "returns" : "rewards"),
            "risk.limit=" + (sample.scale().mean() + 5 * sample.scale().std()),
            "risk.cap=null",
            "risk.multiplier.rate=1");
    UpdateProbe probe =
        new UpdateProbe(
            sample,
            config,
            UpdateProbe.movedParameters(sample),
            term.equals("policy") ? targets : targets.withoutAdvantages());
    double[] gradient = probe.update().gradient();
    Map<String, List<Parameters.Slot>> blocks =
        sample.slots().stream()
            .collect(
                Collectors.groupingBy(Tensors::block, LinkedHashMap::new, Collectors.toList()));
    Map<String, Double> norms = new LinkedHashMap<>();
    blocks.forEach(
        (block, slots) ->
            norms.put(
                block,
                ReferenceMath.norm(
                    Tensors.at(gradient, Tensors.parameters(slots, Integer.MAX_VALUE)))));
    return AuditOutcome.of(
        norms.keySet().stream()
            .allMatch(
                block ->
                    Objects.requireNonNull(norms.get(block)) > 0
                        || !mustReach(term, block, sample)),
        AuditOutcome.number(ReferenceMath.norm(gradient)),
        "> 0 everywhere",
        Tensors.described(norms));
  }

  /**
   * Actor terms must have gradients in the actor, critic terms in the critics, and both in shared
   * layers.
   */
  private static boolean mustReach(String term, String block, SampleRollout sample) {
    boolean actor = term.equals("policy") || term.equals("entropy");
    if (block.equals("actor.sigma") || block.equals("actor.log_sigma")) {
      return actor;
    }
    // The entropy of an unsquashed Gaussian does not depend on its mean.
    boolean meanMatters =
        !term.equals("entropy")
            || sample.referencePolicy().parts().stream()
                .anyMatch(part -> !part.continuous() || part.squash() != NetworkConfig.Squash.NONE);
    // A reading whose tail is the whole distribution is its mean head alone.
    boolean pointsMatter =
        !term.equals("risk")
            || !sample.agent().critic().hasMeanHead()
            || (sample.config().risk().alpha() < 1 && sample.agent().critic().points() > 1);
    if (block.startsWith("critic.head") && !pointsMatter) {
      return false;
    }
    return meanMatters
        && (block.startsWith("shared") || block.startsWith(actor ? "actor" : "critic"));
  }
}
