package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.QUANTILE;

import java.util.List;

/** Faults in critics, their losses, clips and tails. */
final class CriticMutants {
  private CriticMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "twins: the higher mean is used",
              QUANTILE,
              "value-of-twins",
              "value/Critic",
              "if (other < least || Double.isNaN(other)) {",
              "if (other > least || Double.isNaN(other)) {"),
          Mutant.of(
              "quantile levels are not mid-points",
              QUANTILE,
              "quantile-levels",
              "value/QuantileCritic",
              "Arrays.setAll(levels, i -> (i + 0.5) / quantiles);",
              "Arrays.setAll(levels, i -> (i + 1.0) / quantiles);"),
          Mutant.of(
              "the mean of quantiles omits the last one",
              QUANTILE,
              "quantile-function",
              "value/QuantileCritic",
              "      sum += outputs[offset + i];\n" + "    }\n" + "    return sum / count;",
              "      sum += i == count - 1 ? 0 : outputs[offset + i];\n"
                  + "    }\n"
                  + "    return sum / count;"),
          Mutant.of(
              "CVaR of the best outcomes, in the gradient",
              QUANTILE,
              "predicted-cvar",
              "value/QuantileCritic",
              "while (place > 0 && outputs[offset + ranked[place - 1]] > value) {",
              "while (place > 0 && outputs[offset + ranked[place - 1]] < value) {"),
          Mutant.of(
              "CVaR of the best outcomes, as read",
              QUANTILE,
              "predicted-cvar",
              "value/QuantileCritic",
              "      sum += weights[i] * sorted[i];",
              "      sum += weights[i] * sorted[count - 1 - i];"),
          Mutant.of(
              "the weights of the tail do not sum to one",
              QUANTILE,
              "predicted-cvar",
              "value/Cvar",
              "Math.max(0, Math.min(1, mass - i)) / mass",
              "Math.max(0, Math.min(1, mass - i)) / (mass + 0.1)"),
          Mutant.of(
              "the interpolated CVaR uses the wrong trapezoid",
              QUANTILE,
              "predicted-cvar",
              "value/Cvar",
              "addPoint(weights, full - 0.5, half);",
              "addPoint(weights, full, half);"),
          Mutant.of(
              "the quantile function is not interpolated",
              QUANTILE,
              "quantile-function",
              "value/QuantileCritic",
              "value = low + (sorted[Math.min(below + 1, count - 1)] - low) *"
                  + " (position - below);",
              "value = low;"),
          Mutant.of(
              "the quantile function has no tails",
              QUANTILE,
              "quantile-function",
              "value/QuantileCritic",
              "value = sorted[0] + lowGap * logShare(2 * count * level);",
              "value = sorted[0];"),
          Mutant.of(
              "the distribution is not moved onto its mean head",
              QUANTILE,
              "quantile-function",
              "value/QuantileCritic",
              "return value + mean - tailMean;",
              "return value;"),
          Mutant.of(
              "the level of a return ignores the mean head",
              QUANTILE,
              "quantile-function",
              "value/QuantileCritic",
              "double x = value - (mean - tailMean);",
              "double x = value;"),
          Mutant.of(
              "the mean head is not used",
              QUANTILE,
              "values-and-log-probabilities",
              "value/QuantileCritic",
              "return meanHead ? outputs[offset + count] : centre(outputs, offset);",
              "return centre(outputs, offset);"),
          Mutant.of(
              "the mean head's gradient has half its size",
              QUANTILE,
              "loss-against-finite-differences",
              "value/QuantileCritic",
              "dOutputs[offset + count] = (float) (weight * error);",
              "dOutputs[offset + count] = (float) (0.5 * weight * error);"),
          Mutant.of(
              "the CVaR has no exponential tail",
              QUANTILE,
              "predicted-cvar",
              "value/Cvar",
              "addTail(weights, 0, 1, Math.min(alpha, half),"
                  + " tailIntegral(Math.min(1, alpha / half)) * half);",
              "addTail(weights, 0, 1, Math.min(alpha, half), 0);"),
          Mutant.of(
              "the CVaR of tails is not moved onto the mean head",
              QUANTILE,
              "predicted-cvar",
              "value/QuantileCritic",
              "double sum = mean - (method == RiskConfig.CvarMethod.TAILS ? tailMean : pointMean);",
              "double sum = 0;"),
          Mutant.of(
              "the gradient of the CVaR omits the mean head",
              QUANTILE,
              "predicted-cvar",
              "value/QuantileCritic",
              "slopes[offset + count] = 1;",
              "slopes[offset + count] = 0;"),
          Mutant.of(
              "value clip: the mean head is clipped inside the maximum",
              QUANTILE,
              "loss-against-finite-differences",
              "loss/PpoLoss",
              "        sums.meanHeads += mean;",
              "        sums.meanHeads += mean;\n"
                  + "        int head = offset + width - 1;\n"
                  + "        if (clipped.isPresent() && critic.hasMeanHead()\n"
                  + "            && Math.abs(now[head] - old[row * now.length + head]) > 0.013) {\n"
                  + "          gradient[head] = 0;\n"
                  + "        }"),
          Mutant.of(
              "an atom is drawn one too high",
              CATEGORICAL,
              "quantile-function",
              "value/CategoricalCritic",
              "if (cumulative > level) {\n        return atoms[i];",
              "if (cumulative > level) {\n        return atoms[i + 1];"),
          Mutant.of(
              "the distribution of atoms starts uniform",
              CATEGORICAL,
              "starting-distribution",
              "value/CategoricalCritic",
              "-z * z / 2 - StrictMath.log(total)",
              "-StrictMath.log(total)"),
          Mutant.of(
              "only the first particle is projected onto the atoms",
              CATEGORICAL,
              "loss",
              "value/CategoricalCritic",
              "double place = support.place(particles[k]);",
              "double place = support.place(particles[from]);"),
          Mutant.of(
              "shifted quantiles omit the shift",
              QUANTILE,
              "value-clipping",
              "value/QuantileCritic",
              "shifted[i] = (float) (outputs[offset + i] + distance);",
              "shifted[i] = outputs[offset + i];"),
          Mutant.of(
              "projection is one atom off",
              CATEGORICAL,
              "projection",
              "value/AtomSupport",
              "double place = (position - low) / spacing();",
              "double place = (position - low) / spacing() + 1;"),
          Mutant.of(
              "cross-entropy is not divided by ln N",
              CATEGORICAL,
              "loss",
              "value/CategoricalCritic",
              "(largest + StrictMath.log(total) - expected) / normalizer",
              "largest + StrictMath.log(total) - expected"),
          Mutant.of(
              "the gradient of the cross-entropy lacks its target",
              CATEGORICAL,
              "loss-of-other-sizes",
              "value/CategoricalCritic",
              "(float) (factor * (weights[i] / total - projected[i]));",
              "(float) (factor * (weights[i] / total));"),
          Mutant.of(
              "the tail of atoms takes the highest first",
              CATEGORICAL,
              "predicted-cvar",
              "value/Cvar",
              "int i = order == null ? rank : order[rank];",
              "int i = atoms.length - 1 - (order == null ? rank : order[rank]);"),
          Mutant.of(
              "the gradient of the tail of atoms has the wrong edge",
              CATEGORICAL,
              "predicted-cvar",
              "value/CategoricalCritic",
              "i < edge ? (atoms[i] - atoms[edge]) / tail : 0",
              "i <= edge ? atoms[i] / tail : 0"),
          Mutant.of(
              "clipped atoms have no gradient by the shift",
              CATEGORICAL,
              "value-clipping",
              "value/CategoricalCritic",
              "byDistance += probabilities[i] * (atUpper - atLower) /" + " support.spacing();",
              "byDistance += 0;"),
          Mutant.of(
              "value clip: the mean may change by twice the range",
              QUANTILE,
              "value-clipping",
              "value/ValueClip",
              "return Math.max(-range, Math.min(range, moved)) - moved;",
              "return Math.max(-2 * range, Math.min(2 * range, moved)) - moved;"),
          Mutant.of(
              "value clip: a clipped mean still has a gradient",
              QUANTILE,
              "value-clipping",
              "value/ValueClip",
              "critic.addCentreGradient(outputs, offset, -byDistance, dOutputs);",
              "critic.addCentreGradient(outputs, offset, 0, dOutputs);"),
          Mutant.of(
              "value clip: the variance factor is ignored",
              QUANTILE,
              "value-clipping",
              "value/ValueClip",
              "return oldDeviation * varianceFactor / deviation;",
              "return oldDeviation / deviation;"),
          Mutant.of(
              "value clip: a clipped quantile still has a gradient",
              QUANTILE,
              "value-clipping",
              "value/ValueClip",
              "dOutputs[offset + i] = free ? dLimited[i] : 0;",
              "dOutputs[offset + i] = dLimited[i];"),
          Mutant.of(
              "the smaller of free and clipped loss is taken",
              QUANTILE,
              "loss-against-finite-differences",
              "value/ClippedLoss",
              "boolean larger = clipped > free;",
              "boolean larger = clipped < free;"),
          Mutant.of(
              "clipped and free losses are averaged",
              QUANTILE,
              "value-clipping",
              "value/ClippedLoss",
              "return Math.max(free, clipped);",
              "return (free + clipped) / 2;"),
          Mutant.of(
              "critics send no gradient to their trunk",
              CATEGORICAL,
              "critic-term-flow",
              "network/NetworkPass",
              "return output.head.inputGradient(workspace, dy, rows);",
              "return output.trunk == 0 ? output.head.inputGradient(workspace, dy,"
                  + " rows) : workspace.zeros(rows, latent[0].length);"),
          Mutant.of(
              "measured CVaR of the best outcomes",
              QUANTILE,
              "empirical-cvar",
              "risk/EmpiricalCvar",
              "Arrays.stream(percentiles.lowest(tail))",
              "Arrays.stream(percentiles.lowest(samples.length)).skip(samples.length" + " - tail)"),
          Mutant.of(
              "percentiles are not interpolated",
              QUANTILE,
              "return-scale",
              "math/Percentiles",
              "return low + (position - below) * (find(above) - low);",
              "return low;"),
          Mutant.of(
              "the multiplier falls while the limit is violated",
              CATEGORICAL,
              "multiplier",
              "risk/EmpiricalCvar",
              "Math.min(max, lambda + step)",
              "Math.min(max, lambda - step)"),
          Mutant.of(
              "a penalty beyond its cap still has a gradient",
              QUANTILE,
              "risk-terms",
              "risk/EmpiricalCvar",
              "value == free ? -weight : 0",
              "-weight"),
          Mutant.of(
              "a satisfied limit still has a gradient",
              QUANTILE,
              "risk-terms",
              "risk/EmpiricalCvar",
              "Math.max(0, Math.min(cap, free))",
              "Math.min(cap, free)"),
          Mutant.of(
              "steps that cause the tail are rewarded",
              CATEGORICAL,
              "advantages-under-a-limit",
              "rollout/Gae",
              "clamp(advantages[i] - costs[i])",
              "clamp(advantages[i] + costs[i])"),
          Mutant.of(
              "a transition is charged with its last particle alone",
              CATEGORICAL,
              "advantages-under-a-limit",
              "risk/TailCost",
              "means[i / samples] += costs[i] / samples",
              "means[i / samples] = costs[i]"),
          Mutant.of(
              "the shortfall is not divided by alpha",
              CATEGORICAL,
              "advantages-under-a-limit",
              "risk/TailCost",
              "Math.max(0, valueAtRisk - x) / alpha",
              "Math.max(0, valueAtRisk - x)"));
}
