package io.quantail.app;

import static io.quantail.app.MutantSubject.ROBUST;

import java.util.List;

/** Faults in attacks on observations and in robust training. */
final class RobustMutants {
  private RobustMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "the attack descends the gradient",
              ROBUST,
              "disturbances",
              "robust/PerturbationBall",
              "      delta[i] += stepLength * direction[i];",
              "      delta[i] -= stepLength * direction[i];"),
          Mutant.of(
              "perturbations are not projected onto the ball",
              ROBUST,
              "disturbances",
              "robust/PerturbationBall",
              "    project(delta);\n" + "    limits.bound(delta, observation);",
              "    limits.bound(delta, observation);"),
          Mutant.of(
              "fixed features are perturbed",
              ROBUST,
              "disturbances",
              "robust/PerturbationBounds",
              "      delta[place] = 0;",
              "      delta[place] *= 1;"),
          Mutant.of(
              "the attack takes one step too few",
              ROBUST,
              "disturbances",
              "robust/ObservationAttack",
              "method == RobustConfig.AttackMethod.FGSM ? 1 : steps",
              "method == RobustConfig.AttackMethod.FGSM ? 1 : steps - 1"),
          Mutant.of(
              "the divergence has no gradient by the perturbed observations",
              ROBUST,
              "robust-term",
              "robust/PolicyDivergence",
              "addDivergence(pass, pass.policy(), 1, dActions, dFeatures);",
              "addDivergence(pass, pass.policy(), 0, dActions, dFeatures);"),
          Mutant.of(
              "the robust term is weighted by minibatches instead of samples",
              ROBUST,
              "robust-term",
              "robust/RobustLossTerm",
              "coefficient * weight / batch.size()",
              "coefficient * weight"),
          Mutant.of(
              "the robust term starts from another random point",
              ROBUST,
              "robust-term",
              "robust/RobustLossTerm",
              "RandomStream.of(seed, \"robust/\" + update, index)",
              "RandomStream.of(seed, \"robust/\" + update, index + 1)"),
          Mutant.of(
              "the gradient of observations stops at the feed-forward layers",
              ROBUST,
              "robust-term",
              "network/Trunk",
              "layer.inputGradient(workspace, trace.lstm.get(i).trace(), gradient);",
              "layer.inputGradient(workspace, trace.lstm.get(i).trace(),"
                  + " workspace.zeros(gradient.length, gradient[0].length));"),
          Mutant.of(
              "the perturbation has its full size at once",
              ROBUST,
              "epsilon-ramp",
              "robust/EpsilonSchedule",
              "updates == 0 ? 1 : Math.min(1, (double) t / updates)",
              "1"),
          Mutant.of(
              "the warm-up of the perturbation is ignored",
              ROBUST,
              "epsilon-ramp",
              "robust/AdversarySchedule",
              "return t >= warmupUpdates;",
              "return true;"),
          Mutant.of(
              "other environments are attacked than configured",
              ROBUST,
              "attacked-rollouts",
              "robust/AdversarialRollouts",
              "Math.floor((e + 1) * fraction) > Math.floor(e * fraction)",
              "Math.floor((e + 1) * fraction) == Math.floor(e * fraction)"),
          Mutant.of(
              "the adversary also perturbs fixed features",
              ROBUST,
              "single-step-attack",
              "robust/EvaluationAdversary",
              "new ObservationAttack(method, norm, epsilon, steps,",
              "new ObservationAttack(method, norm, 2 * epsilon, steps,"),
          Mutant.of(
              "a playing agent is attacked from a fixed start",
              ROBUST,
              "single-step-attack",
              "robust/PolicyDivergence",
              "return attack.apply(\n"
                  + "        seen.observations(), new PolicyDivergence(network, parameters, seen),"
                  + " random);",
              "return attack.noise(seen.observations(), random);"));
}
