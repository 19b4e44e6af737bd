package io.quantail.app;

import static io.quantail.app.MutantSubject.MIXED;

import java.util.List;

/** Faults in masks and in products of action spaces. */
final class MaskMutants {
  private MaskMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "the softmax counts masked choices",
              MIXED,
              "log-probability",
              "network/CategoricalPolicy",
              "    double normalizer = highest + StrictMath.log(sum);",
              "    for (int k = 0; k < logs.length; k++) {\n"
                  + "      sum += masked[k] ? StrictMath.exp(outputs[k] - highest) : 0;\n"
                  + "    }\n"
                  + "    double normalizer = highest + StrictMath.log(sum);"),
          Mutant.of(
              "the log-probability of a masked choice is not refused",
              MIXED,
              "density-sums-to-one",
              "network/CategoricalPolicy",
              "if (masked[action]) {",
              "if (action < 0) {"),
          Mutant.of(
              "a masked logit has a gradient",
              MIXED,
              "policy-derivatives",
              "network/CategoricalPolicy",
              "      dOutputs[k] +=\n",
              "      dOutputs[masked[(k + 1) % logs.length] ? (k + 1) % logs.length : k] +=\n"),
          Mutant.of(
              "the KL divergence counts as many choices as are allowed, from the first",
              MIXED,
              "divergence",
              "network/CategoricalPolicy",
              "      int k = allowed[i];\n      stored[k] =",
              "      int k = i;\n      stored[k] ="),
          Mutant.of(
              "the most likely choice may be a masked one",
              MIXED,
              "chosen-actions",
              "network/CategoricalPolicy",
              "    int best = allowed[0];",
              "    int best = 0;"),
          Mutant.of(
              "draws count masked choices",
              MIXED,
              "masks",
              "network/CategoricalPolicy",
              "raw[offset] = allowed[chosen];",
              "raw[offset] = chosen;"),
          Mutant.of(
              "updates evaluate the policy without its masks",
              MIXED,
              "masks",
              "rollout/SequenceBatch",
              "        masks());",
              "        SequenceInput.NO_MASKS);"),
          Mutant.of(
              "sequences get the masks of other transitions",
              MIXED,
              "masks",
              "rollout/SequenceBatch",
              "rollout.masks, transitions[row] * width,",
              "rollout.masks, row * width,"),
          Mutant.of(
              "the rollout stores the masks of the first environments for all groups",
              MIXED,
              "masks",
              "rollout/EnvironmentGroup",
              "environments.masks(), from * maskSize,",
              "environments.masks(), 0 * maskSize,"),
          Mutant.of(
              "all groups act with the masks of the first environments",
              MIXED,
              "masks",
              "model/PolicyRunner",
              "System.arraycopy(all, first * size, free.masks, 0, free.masks.length);",
              "System.arraycopy(all, 0, free.masks, 0, free.masks.length);"),
          Mutant.of(
              "the robust term attacks the policy without its masks",
              MIXED,
              "robust-term",
              "robust/PolicyDivergence",
              "sequences.withObservations(observations)",
              "new SequenceInput(observations, sequences.initial(), sequences.packing())"),
          Mutant.of(
              "the log-probability of several actions is that of the last one",
              MIXED,
              "log-probability",
              "network/ProductPolicy",
              "sum += part.policy.logProbability(",
              "sum = part.policy.logProbability("),
          Mutant.of(
              "the entropy of several actions is that of the last one",
              MIXED,
              "entropy",
              "network/ProductPolicy",
              "sum += part.policy.entropy();",
              "sum = part.policy.entropy();"),
          Mutant.of(
              "the KL divergence of every part is from the first stored part",
              MIXED,
              "divergence",
              "network/ProductPolicy",
              "part.policy.divergenceFrom(stored, offset + part.stored)",
              "part.policy.divergenceFrom(stored, offset)"),
          Mutant.of(
              "the gradients of all parts go to the first outputs",
              MIXED,
              "policy-derivatives",
              "network/ProductPolicy",
              "all[output + k] += gradient[k];",
              "all[k] += gradient[k];"),
          Mutant.of(
              "the gradient of a part is added again for the next sample",
              MIXED,
              "loss-against-finite-differences",
              "network/ProductPolicy",
              "      Arrays.fill(gradient, 0);\n",
              ""),
          Mutant.of(
              "the number of a choice is mapped into the box that follows it",
              MIXED,
              "actions-given",
              "network/PolicyHead",
              "int place = row + first + dimension;",
              "int place = row + dimension;"));
}
