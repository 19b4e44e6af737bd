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
              "lowest = Math.min(lowest, mean(outputs, offset));",
              "lowest = offset == 0 ? mean(outputs, 0) : Math.max(lowest,"
                  + " mean(outputs, offset));"),
          Mutant.of(
              "quantile levels are not mid-points",
              QUANTILE,
              "quantile-levels",
              "value/QuantileCritic",
              "levels[i] = (i + 0.5) / count;",
              "levels[i] = (i + 1.0) / count;"),
          Mutant.of(
              "the mean of quantiles omits the last one",
              QUANTILE,
              "values-and-log-probabilities",
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
              "while (rank > 0 && value < outputs[offset + lowest[rank - 1]]) {",
              "while (rank > 0 && value > outputs[offset + lowest[rank - 1]]) {"),
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
              "return low + (sorted[Math.min(below + 1, count - 1)] - low) *"
                  + " (position - below);",
              "return low;"),
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
              "    dOutputs[offset + lower] -= (float) (factor * lowerShare);\n",
              ""),
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
              "          critic.addMeanGradient(outputs, offset, -byDistance," + " dOutputs);",
              "          critic.addMeanGradient(outputs, offset, 0, dOutputs);"),
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
              "the shortfall is not divided by alpha",
              CATEGORICAL,
              "advantages-under-a-limit",
              "risk/TailCost",
              "Math.max(0, valueAtRisk - x) / alpha",
              "Math.max(0, valueAtRisk - x)"));
}
