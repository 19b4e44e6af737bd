package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.FREE;
import static io.quantail.app.MutantSubject.QUANTILE;

import java.util.List;

/** Faults in collection, acting, advantages and return scale. */
final class RolloutMutants {
  private RolloutMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "the LSTM processes each observation twice",
              QUANTILE,
              "stored-state",
              "model/PolicyRunner",
              "    state = free.next;",
              "    state = agent.network().step(new io.quantail.kernel.Workspace(),"
                  + " agent.inference(), pass.observations(), free.next).next();"),
          Mutant.of(
              "the recurrent state is not reset at the start of an episode",
              QUANTILE,
              "stored-state",
              "model/PolicyRunner",
              "to[slot][row] = starts[row] ? atStart : from[slot][row];",
              "to[slot][row] = from[slot][row];"),
          Mutant.of(
              "the runner resets no environment at the start of an episode",
              QUANTILE,
              "chosen-actions",
              "model/PolicyRunner",
              "    starts[environment] = true;",
              "    starts[environment] = environment < 0;"),
          Mutant.of(
              "training starts every window with an empty recurrent state",
              QUANTILE,
              "first-pass-ratio",
              "rollout/SequenceBatch",
              "if (rollout.episodeStarts[transition]) {",
              "if (transition >= 0) {"),
          Mutant.of(
              "windows get the recurrent state of their neighbours",
              QUANTILE,
              "stored-state",
              "rollout/SequenceBatch",
              "return block * environments + transition % environments;",
              "return block * environments + (transition + 1) % environments;"),
          Mutant.of(
              "sequences continue into the next episode",
              QUANTILE,
              "stepwise-against-sequence",
              "rollout/SequenceBatch",
              "row == 0 || episodeStart[row] || environmentChange[row]",
              "row == 0 || environmentChange[row]"),
          Mutant.of(
              "truncation is bootstrapped with the state before its last observation",
              QUANTILE,
              "bootstraps",
              "rollout/EnvironmentGroup",
              "    int time = first / rollout.shape().environments();",
              "    for (int row = 0; row < rows; row++) {\n"
                  + "      runner.start(row);\n"
                  + "    }\n"
                  + "    int time = first / rollout.shape().environments();"),
          Mutant.of(
              "the rollout stores the value of the next environment",
              QUANTILE,
              "values-and-log-probabilities",
              "rollout/EnvironmentGroup",
              "rollout.values[first + row] = (float) runner.value(pass, row);",
              "rollout.values[first + row] = (float) runner.value(pass, (row + 1) % rows);"),
          Mutant.of(
              "the rollout stores the critics of the next environment",
              QUANTILE,
              "values-and-log-probabilities",
              "rollout/EnvironmentGroup",
              "System.arraycopy(pass.values()[row], 0, rollout.criticOutputs,",
              "System.arraycopy(pass.values()[(row + 1) % rows], 0, rollout.criticOutputs,"),
          Mutant.of(
              "what follows a step is predicted from its own observation",
              QUANTILE,
              "bootstraps",
              "rollout/Rollout",
              "System.arraycopy(criticOutputs, next * size, target, 0, size);",
              "System.arraycopy(criticOutputs, transition * size, target, 0, size);"),
          Mutant.of(
              "particles are drawn at their own level after a trace",
              QUANTILE,
              "particles-with-other-ends",
              "rollout/ReturnTargets",
              "cut ? level : (level - lambda) / (1 - lambda)",
              "level"),
          Mutant.of(
              "particles continue past a truncation",
              QUANTILE,
              "particles-with-other-ends",
              "rollout/ReturnTargets",
              "boolean cut = collected.truncated()[index] ||",
              "boolean cut ="),
          Mutant.of(
              "particles are drawn after a termination",
              QUANTILE,
              "particles-with-other-ends",
              "rollout/ReturnTargets",
              "boolean terminated = collected.terminated()[index];",
              "boolean terminated = collected.terminated()[index] && index < 0;"),
          Mutant.of(
              "the particles of a step are not spread",
              QUANTILE,
              "return-particles",
              "rollout/ReturnTargets",
              "double level = uniform + (double) k / count;",
              "double level = uniform;"),
          Mutant.of(
              "all updates draw the same uniform numbers",
              QUANTILE,
              "return-particles",
              "rollout/ReturnTargets",
              "RandomStream.of(seed, \"return-targets\", update)",
              "RandomStream.of(seed, \"return-targets\", 0)"),
          Mutant.of(
              "particles are discounted in normalised units",
              QUANTILE,
              "return-particles",
              "rollout/PredictedReturns",
              "return scale.denormalize(critic.draw(level));",
              "return scale.std() * critic.draw(level) + scale.mean() / 0.99;"),
          Mutant.of(
              "particles are drawn from the first critic alone",
              QUANTILE,
              "return-particles",
              "rollout/PredictedReturns",
              "critic.read(outputs);",
              "critic.read(outputs, 0);"),
          Mutant.of(
              "the trace of particles has another length",
              QUANTILE,
              "return-particles",
              "rollout/TrainingTargets",
              "config.targetLambda()",
              "config.rollout().gamma()"),
          Mutant.of(
              "advantages have no floor",
              FREE,
              "advantage-normalisation",
              "rollout/AdvantageNormalizer",
              "Math.max(moments.deviation(), floor)",
              "moments.deviation()"),
          Mutant.of(
              "the mean's target has the trace of the advantages",
              FREE,
              "parameters-after-an-iteration",
              "train/Trainer",
              "Gae.compute(collected, config.targetLambda())",
              "Gae.compute(collected)"),
          Mutant.of(
              "particles are clipped",
              QUANTILE,
              "targets-never-clipped",
              "rollout/TrainingTargets",
              "particles[i] = (float) scale.normalize(distribution.particles()[i]);",
              "particles[i] = (float) Math.max(-10, Math.min(10,"
                  + " scale.normalize(distribution.particles()[i])));"),
          Mutant.of(
              "the return scale follows GAE returns instead of particles",
              QUANTILE,
              "parameters-after-an-iteration",
              "train/Trainer",
              "commitReturnScale(distribution.particles())",
              "commitReturnScale(gae.returns())"),
          Mutant.of(
              "the first scale is the identity",
              QUANTILE,
              "first-return-scale",
              "value/ReturnScaleTracker",
              "    if (commits > 0) {\n      return scale;",
              "    if (commits >= 0) {\n      return scale;"),
          Mutant.of(
              "the first scale ignores terminations",
              QUANTILE,
              "first-return-scale",
              "value/FirstReturnScale",
              "if (!ended && deviation >= LEAST_VARIATION * Math.abs(mean)) {",
              "if (deviation >= LEAST_VARIATION * Math.abs(mean)) {"),
          Mutant.of(
              "mean heads are not rescaled with the return scale",
              QUANTILE,
              "parameters-after-an-iteration",
              "network/ActorCritic",
              "return Stream.concat(valueHeads.stream(), meanHeads.stream()).toList();",
              "return valueHeads.stream().toList();"),
          Mutant.of(
              "value heads start with gain one",
              QUANTILE,
              "initial-weights",
              "network/ActorCritic",
              "VALUE_GAIN = 0.01",
              "VALUE_GAIN = 1"),
          Mutant.of(
              "value heads start with biases of zero",
              QUANTILE,
              "starting-distribution",
              "network/ActorCritic",
              "layout.addLinear(\"critic.head\" + head, inputs, outside.startingOutputs(),",
              "layout.addLinear(\"critic.head\" + head, inputs,"
                  + " new double[outside.startingOutputs().length],"),
          Mutant.of(
              "the quantiles of the normal distribution are those of another level",
              QUANTILE,
              "starting-distribution",
              "math/StandardNormal",
              "if (cumulative(middle) < level) {",
              "if (cumulative(middle) < 0.9 * level) {"),
          Mutant.of(
              "rewards are stored for the next environment",
              QUANTILE,
              "stored-transitions",
              "rollout/EnvironmentGroup",
              "System.arraycopy(environments.rewards(), from, rollout.rewards," + " first, rows);",
              "System.arraycopy(environments.rewards(), from, rollout.rewards, first"
                  + " + 1, rows - 1);"),
          Mutant.of(
              "environment groups overlap",
              QUANTILE,
              "stored-transitions",
              "rollout/RolloutCollector",
              "bounds[lane], bounds[lane + 1]));",
              "bounds[lane], Math.min(environments.count(), bounds[lane + 1] + 1)));"),
          Mutant.of(
              "observation statistics change during the rollout",
              QUANTILE,
              "normaliser-frozen",
              "model/ActingModel",
              "        normalizer.normalize(raw, from, rows[row], 0, 1);",
              "        normalizer.update(Arrays.copyOfRange(raw, from, from + observationSize), 1);\n"
                  + "        normalizer.normalize(raw, from, rows[row], 0, 1);"),
          Mutant.of(
              "observations are divided by their variance",
              QUANTILE,
              "normaliser-frozen",
              "model/ObservationNormalizer",
              "Math.sqrt(variance + EPSILON)",
              "variance + EPSILON"),
          Mutant.of(
              "observation statistics omit the distance of the means",
              QUANTILE,
              "normaliser-update",
              "math/RunningMoments",
              "              + difference * difference * count * rows / total;",
              "              + 0 * difference;"),
          Mutant.of(
              "observation statistics use half of the rollout",
              QUANTILE,
              "normaliser-update",
              "model/AgentModel",
              "rawObservations.length / observations.size()",
              "rawObservations.length / observations.size() / 2"),
          Mutant.of(
              "environments get actions of half the range",
              QUANTILE,
              "actions-given",
              "network/PolicyHead",
              "share * ((double) high[dimension] - low[dimension])",
              "share * 0.5 * ((double) high[dimension] - low[dimension])"),
          Mutant.of(
              "evaluation ignores the starts of episodes",
              QUANTILE,
              "evaluation",
              "train/Evaluator",
              "        runner.start(e);",
              "        runner.starts(e);"),
          Mutant.of(
              "evaluation reports the highest return as the mean",
              CATEGORICAL,
              "evaluation",
              "train/Evaluator",
              "double mean = Arrays.stream(returns).average().orElseThrow();",
              "double mean = Arrays.stream(returns).max().orElseThrow();"),
          Mutant.of(
              "evaluation always takes the most likely action",
              CATEGORICAL,
              "evaluation",
              "train/Evaluator",
              "config.deterministic() ? null :",
              "config.episodes() > 0 ? null :"),
          Mutant.of(
              "a discrete action is drawn from the other end",
              CATEGORICAL,
              "chosen-actions",
              "network/CategoricalPolicy",
              "stream.nextDouble() - probabilities[allowed[0]]",
              "1 - stream.nextDouble() - probabilities[allowed[0]]"),
          Mutant.of(
              "a continuous action is drawn with half its standard deviation",
              QUANTILE,
              "chosen-actions",
              "network/GaussianPolicy",
              "(float) (sigma[i] * limit(stream.nextGaussian()))",
              "(float) (0.5 * sigma[i] * limit(stream.nextGaussian()))"),
          Mutant.of(
              "truncation is not bootstrapped",
              QUANTILE,
              "gae",
              "rollout/Gae",
              "return input.bootstrap()[index];",
              "return 0;"),
          Mutant.of(
              "a termination is bootstrapped",
              QUANTILE,
              "gae-with-other-ends",
              "rollout/Gae",
              "    if (input.terminated()[index]) {",
              "    if (input.terminated()[index] && index < 0) {"),
          Mutant.of(
              "the trace continues into the next episode",
              QUANTILE,
              "gae",
              "rollout/Gae",
              "return input.terminated()[index] || input.truncated()[index] ||"
                  + " isLastStep(input, index);",
              "return isLastStep(input, index);"),
          Mutant.of(
              "advantages have no limit",
              QUANTILE,
              "gae-with-other-ends",
              "rollout/Gae",
              "return Math.max(-LIMIT, Math.min(LIMIT, value));",
              "return value;"),
          Mutant.of(
              "the rollout passes gamma as lambda",
              QUANTILE,
              "parameters-after-an-iteration",
              "rollout/Rollout",
              "        config.gaeLambda());",
              "        config.gamma());"),
          Mutant.of(
              "advantages: ddof 0",
              QUANTILE,
              "advantage-normalisation",
              "math/SampleMoments",
              "squares / (count - 1)",
              "squares / count"),
          Mutant.of(
              "the standard deviation of returns is that of a sample",
              QUANTILE,
              "return-scale",
              "math/Moments",
              "Math.sqrt(squares / values.length)",
              "Math.sqrt(squares / (values.length - 1))"),
          Mutant.of(
              "advantages are not centred",
              QUANTILE,
              "advantage-normalisation",
              "rollout/AdvantageNormalizer",
              "(advantages[i] - moments.mean()) / divisor",
              "advantages[i] / divisor"),
          Mutant.of(
              "advantages are centred once more in every microbatch",
              QUANTILE,
              "parameters-after-an-iteration",
              "loss/PpoLoss",
              "float[] advantages = batch.pick(estimates.advantages());",
              "float[] advantages = batch.pick(estimates.advantages());\n"
                  + "    float center = (float) (FloatVectors.sum(advantages) /"
                  + " advantages.length);\n"
                  + "    for (int row = 0; row < rows; row++) {\n"
                  + "      advantages[row] -= center;\n"
                  + "    }"),
          Mutant.of(
              "targets are clipped",
              QUANTILE,
              "targets-never-clipped",
              "rollout/TrainingTargets",
              "scale.normalize(gae.returns()),",
              "java.util.Arrays.stream(scale.normalize(gae.returns())).map(x -> Math.max(-10, Math.min(10, x))).toArray(),"),
          Mutant.of(
              "the return scale is ten percent too wide",
              QUANTILE,
              "return-scale",
              "value/ReturnScaleTracker",
              "double mean = Moments.mean(rawReturns);",
              "double mean = 1.1 * Moments.mean(rawReturns);"),
          Mutant.of(
              "normalised returns are not centred",
              QUANTILE,
              "targets-never-clipped",
              "value/ReturnScale",
              "return (raw - mean) / std;",
              "return raw / std;"),
          Mutant.of(
              "value heads are not rescaled with the return scale",
              QUANTILE,
              "parameters-after-an-iteration",
              "train/Trainer",
              "if (model.agent().critic().outputsAreReturns()) {",
              "if (!model.agent().critic().outputsAreReturns()) {"),
          Mutant.of(
              "value heads are rescaled without the mean",
              QUANTILE,
              "head-rescale",
              "value/ValueHeadRescale",
              "(before.mean() - after.mean()) / after.std()",
              "0"),
          Mutant.of(
              "explained variance is taken about a wrong mean",
              QUANTILE,
              "predictions",
              "math/WeightedMoments",
              "finite(values[first] + shifted / total)",
              "finite(values[first] + shifted)"),
          Mutant.of(
              "explained variance is not subtracted from one",
              QUANTILE,
              "predictions",
              "value/ExplainedVariance",
              "1 - unexplained.getAsDouble() / (total.getAsDouble() + EPSILON)",
              "unexplained.getAsDouble() / (total.getAsDouble() + EPSILON)"),
          Mutant.of(
              "the initial weights of a layer are not orthogonal",
              QUANTILE,
              "initial-weights",
              "network/WeightInitializer",
              "basis[row][column] -= projection * basis[previous][column];",
              "basis[row][column] -= 0.5 * projection * basis[previous][column];"),
          Mutant.of(
              "a head starts with other biases than given",
              QUANTILE,
              "starting-distribution",
              "network/ParameterLayout",
              "add(name + \".bias\", WeightInitializer.of(bias), bias.length)",
              "add(name + \".bias\", WeightInitializer.constant(0.1f), bias.length)"));
}
