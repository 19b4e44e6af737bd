package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.FREE;
import static io.quantail.app.MutantSubject.QUANTILE;
import static io.quantail.app.MutantSubject.ROBUST;

import java.util.List;

/** Faults in layers, matrix products and inner loops, with and without vector instructions. */
final class KernelMutants {
  private KernelMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "vector loop: the quantile loss has the opposite asymmetry",
              QUANTILE,
              "loss-of-other-sizes",
              "simd/QuantileHuberLoop",
              "down.blend(up, positive)",
              "up.blend(down, positive)"),
          Mutant.of(
              "vector loop: the pinball loss has the opposite asymmetry",
              QUANTILE,
              "loss-of-other-sizes",
              "simd/QuantileHuberLoop",
              "FloatVector down = zero.sub(load(below, j));",
              "FloatVector down = zero.sub(load(above, j));"),
          Mutant.of(
              "vector loop: a particle on a quantile moves it",
              QUANTILE,
              "loss-of-other-sizes",
              "simd/QuantileHuberLoop",
              "zero.blend(down, u.compare(LT, zero)).blend(up, u.compare(GT, zero))",
              "down.blend(up, u.compare(GT, zero))"),
          Mutant.of(
              "vector loop: the Huber loss is multiplied by kappa",
              QUANTILE,
              "loss",
              "simd/QuantileHuberLoop",
              "FloatVector weight = down.blend(up, positive).mul(clipped);",
              "FloatVector weight = down.blend(up, positive).mul(clipped).mul(all(kappa));"),
          Mutant.of(
              "vector loop: the Huber loss has no kappa",
              QUANTILE,
              "loss",
              "simd/QuantileHuberLoop",
              "share.blend(limit, share.compare(GT, limit))",
              "share"),
          Mutant.of(
              "vector loop: the slope of the quantile loss loses its sign",
              QUANTILE,
              "loss-against-finite-differences",
              "simd/QuantileHuberLoop",
              "slope = slope.add(zero.sub(weight).blend(weight, positive));",
              "slope = slope.add(weight);"),
          Mutant.of(
              "vector loop: the gradient of the cell is not propagated through time",
              QUANTILE,
              "loss-against-finite-differences",
              "simd/LstmGateLoops",
              "      dc.mul(forget).intoArray(dCell, j);\n",
              "      zero.intoArray(dCell, j);\n"),
          Mutant.of(
              "vector loop: the forget gate has the wrong slope",
              QUANTILE,
              "loss-against-finite-differences",
              "simd/LstmGateLoops",
              "forget.fma(one.sub(forget), zero)",
              "forget.fma(forget, zero)"),
          Mutant.of(
              "vector loop: the candidate gate has the slope of a sigmoid",
              QUANTILE,
              "loss-along-directions",
              "simd/LstmGateLoops",
              "candidate.fma(zero.sub(candidate), one)",
              "candidate.fma(one.sub(candidate), zero)"),
          Mutant.of(
              "vector loop: the cell state is not kept",
              QUANTILE,
              "values-and-log-probabilities",
              "simd/LstmGateLoops",
              "load(gates, width + j).fma(load(before, j), written)",
              "written"),
          Mutant.of(
              "vector loop: the slope of SiLU lacks its second term",
              QUANTILE,
              "loss-against-finite-differences",
              "simd/TanhLoop",
              "product.fma(one.sub(s), s).intoArray(x, j);",
              "s.intoArray(x, j);"),
          Mutant.of(
              "vector loop: gates are activated without their offset",
              QUANTILE,
              "values-and-log-probabilities",
              "simd/TanhLoop",
              "scale.fma(tanh(scale.mul(load(y, j))), load(offset, j))",
              "scale.mul(tanh(scale.mul(load(y, j))))"),
          Mutant.of(
              "vector loop: the polynomial of tanh has a wrong coefficient",
              QUANTILE,
              "values-and-log-probabilities",
              "simd/VectorMath",
              "    q = square.fma(q, all(Q1));\n",
              "    q = square.fma(q, all(Q2));\n"),
          Mutant.of(
              "vector loop: constants lose their sign",
              QUANTILE,
              "loss-against-finite-differences",
              "simd/VectorLanes",
              "FloatVector.broadcast(SPECIES, value)",
              "FloatVector.broadcast(SPECIES, Math.abs(value))"),
          Mutant.of(
              "vector loop: a product omits its second row",
              QUANTILE,
              "values-and-log-probabilities",
              "simd/MatrixTiles",
              "    c10.intoArray(c1, at);\n",
              "    c00.intoArray(c1, at);\n"),
          Mutant.of(
              "vector loop: a gradient omits its last column",
              QUANTILE,
              "loss-along-directions",
              "simd/MatrixTiles",
              "    c31.intoArray(c, at3 + COUNT);",
              "    c21.intoArray(c, at3 + COUNT);"),
          Mutant.of(
              "panels: the last terms of a product are left out",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/PanelMatrix",
              "            a[Math.min(row + 3, last)],\n"
                  + "            panels[panel],\n"
                  + "            terms);",
              "            a[Math.min(row + 3, last)],\n"
                  + "            panels[panel],\n"
                  + "            terms - 1);"),
          Mutant.of(
              "panels: weights of the backward pass are read transposed",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/PanelMatrix",
              "int first = from + t * columns + column;",
              "int first = from + column * count + t;"),
          Mutant.of(
              "panels: tiles at an edge are not added",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/GradientProducts",
              "System.arraycopy(tile, r * WIDTH, sum.c(), places[p + r] + first," + " width);",
              "System.arraycopy(tile, r * WIDTH, sum.c(), places[p + r] + first," + " width - 1);"),
          Mutant.plain(
              "plain loop: the quantile loss has the opposite asymmetry",
              QUANTILE,
              "loss-of-other-sizes",
              "kernel/QuantileHuberLoss",
              "float slope = (u > 0 ? above[i] : below[i]) * clipped;",
              "float slope = (u > 0 ? below[i] : above[i]) * clipped;"),
          Mutant.plain(
              "plain loop: the Huber loss is multiplied by kappa",
              QUANTILE,
              "loss",
              "kernel/QuantileHuberLoss",
              "float slope = (u > 0 ? above[i] : below[i]) * clipped;",
              "float slope = (u > 0 ? above[i] : below[i]) * clipped * kappa;"),
          Mutant.plain(
              "plain loop: a particle on a quantile moves it",
              QUANTILE,
              "loss-of-other-sizes",
              "kernel/QuantileHuberLoss",
              "u > 0 ? above[i] : u < 0 ? 0 - below[i] : 0",
              "u > 0 ? above[i] : 0 - below[i]"),
          Mutant.plain(
              "plain loop: the gradient of the cell is not propagated through time",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/LstmGates",
              "    FloatVectors.multiply(dCell, dCell, forget);\n",
              "    Arrays.fill(dCell, 0);\n"),
          Mutant.plain(
              "plain loop: the forget gate has the wrong slope",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/LstmGates",
              "throughActivation(dForget, forget, 1, 0);",
              "throughActivation(dForget, forget, 0, 1);"),
          Mutant.plain(
              "plain loop: the cell state is not kept",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/LstmGates",
              "Math.fma(forget[j], previous[j], in[j] * candidate[j])",
              "in[j] * candidate[j]"),
          Mutant.plain(
              "plain loop: tanh saturates too early",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/TanhApproximation",
              "Math.max(-LIMIT, Math.min(LIMIT, x))",
              "Math.max(-0.4f, Math.min(0.4f, x))"),
          Mutant.plain(
              "plain loop: a sigmoid is not centred",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/TanhApproximation",
              "Math.fma(0.5f, of(0.5f * x), 0.5f)",
              "Math.fma(0.5f, of(x), 0.5f)"),
          Mutant.plain(
              "plain loop: weights are read without their transposition",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/RowMatrix",
              "rows[term + t][column + c] = flat[from + c * terms + t];",
              "rows[term + t][column + c] = flat[from + t * columns + c];"),
          Mutant.plain(
              "plain loop: the second of two terms is added twice",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/MatrixProducts",
              "c1[j] = Math.fma(a11, x1, Math.fma(a10, x0, y1));",
              "c1[j] = Math.fma(a11, x1, Math.fma(a11, x1, y1));"),
          Mutant.plain(
              "plain loop: an odd last row gets no gradient",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/MatrixProducts",
              "addTwoTerms(c0, c1, c2, c3, b[i], zeros, x[p0], 0, x[p1], 0, x[p2],"
                  + " 0, x[p3], 0);",
              "addTwoTerms(c0, c1, c2, c3, zeros, zeros, x[p0], 0, x[p1], 0, x[p2],"
                  + " 0, x[p3], 0);"),
          Mutant.plain(
              "plain loop: rows are multiplied from the second on",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/FloatVectors",
              "for (int j = 0; j < y.length; j++) {\n" + "      y[j] = a[j] * b[j];",
              "for (int j = 1; j < y.length; j++) {\n" + "      y[j] = a[j] * b[j];"),
          Mutant.plain(
              "plain loop: SiLU has the slope of a sigmoid",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/ActivationFunction",
              "x[j] = Math.fma(x[j] * s, 1 - s, s);",
              "x[j] = s * (1 - s);"),
          Mutant.of(
              "tanh has slope one",
              FREE,
              "loss-against-finite-differences",
              "kernel/ActivationFunction",
              "x[j] = 1 - y[j] * y[j];",
              "x[j] = 1;"),
          Mutant.of(
              "the gradient of GELU omits its density",
              ROBUST,
              "loss-against-finite-differences",
              "kernel/ActivationFunction",
              "(distribution + x[j] * normalDensity(x[j]))",
              "distribution"),
          Mutant.of(
              "the backward pass of a single layer omits its activation",
              FREE,
              "loss-against-finite-differences",
              "kernel/DenseLayer",
              "FloatVectors.multiply(dy[row], dy[row], slope[row]);",
              "FloatVectors.multiply(dy[row], dy[row], dy[row]);"),
          Mutant.of(
              "the skip connection gets no gradient",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/SkipMlp",
              "        System.arraycopy(dy[row], 0, dBoth[row], width, width);\n",
              "        java.util.Arrays.fill(dBoth[row], width, 2 * width, 0);\n"),
          Mutant.of(
              "the skip connection is left out",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/SkipMlp",
              "        FloatVectors.add(y[row], skip);\n",
              ""),
          Mutant.of(
              "hidden states get no gradient from the following step",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/LstmLayer",
              "map.addInputGradient(HIDDEN, dBefore, dSums, running);",
              "map.addInputGradient(HIDDEN, dBefore, dSums, 0);"),
          Mutant.of(
              "sequences of different lengths are not sorted",
              CATEGORICAL,
              "stepwise-against-sequence",
              "kernel/SequencePacking",
              "Comparator.comparing(sequence -> -lengths[sequence])",
              "Comparator.comparing(sequence -> sequence)"),
          Mutant.of(
              "the gradient of the bias omits rows",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/AffineMap",
              "for (; row < count; row++) {\n"
                  + "      FloatVectors.add(sum, rows[row]);\n"
                  + "    }",
              "// the rest"),
          Mutant.of(
              "the gradient of a narrow input replaces earlier ones",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/AffineMap",
              "byInput[places[i] + output] = gradient[byOutput[output] + i];",
              "byInput[places[i] + output] = 1;"),
          Mutant.of(
              "the bias of the hidden state is not added",
              QUANTILE,
              "values-and-log-probabilities",
              "kernel/PackedWeights",
              "          bias[output] += flat[block.biasPlaces[output]];",
              "          bias[output] = flat[block.biasPlaces[output]] * 2;"),
          Mutant.of(
              "four vectors are added with one left out",
              QUANTILE,
              "loss-against-finite-differences",
              "kernel/FloatVectors",
              "y[i] = y[i] + first[i] + second[i] + third[i] + fourth[i];",
              "y[i] = y[i] + first[i] + second[i] + third[i];"),
          Mutant.of(
              "exponentials of atoms have one squaring too few",
              CATEGORICAL,
              "loss",
              "kernel/NegativeExponential",
              "      y[i] = s * s;",
              "      y[i] = s;"),
          Mutant.of(
              "the lower of two LSTM layers gets no gradient",
              CATEGORICAL,
              "loss-against-finite-differences",
              "network/Trunk",
              "gradient = layer.backward(workspace, trace.lstm.get(i).trace(), gradient, i > 0);",
              "gradient = layer.backward(workspace, trace.lstm.get(i).trace(), gradient, i > 0);\n"
                  + "      for (int row = 0; i > 0 && row < gradient.length; row++) {\n"
                  + "        java.util.Arrays.fill(gradient[row], 0);\n"
                  + "      }"),
          Mutant.of(
              "the backward pass of the trunk skips its LSTM",
              QUANTILE,
              "loss-along-directions",
              "network/Trunk",
              "      gradient = layer.backward(",
              "      gradient = firstLayer >= 0 ? gradient : layer.backward("),
          Mutant.of(
              "a layer is activated with another function",
              ROBUST,
              "values-and-log-probabilities",
              "network/Trunk",
              "ActivationFunction.valueOf(network.activation().name())",
              "ActivationFunction.SILU"),
          Mutant.of(
              "critics use the recurrent state of the actor",
              CATEGORICAL,
              "values-and-log-probabilities",
              "network/ActorCritic",
              "\"critic\", observationSize, layers, network",
              "\"critic\", observationSize, 0, network"),
          Mutant.of(
              "a reset clears the recurrent state of a neighbour",
              QUANTILE,
              "reset-isolation",
              "network/RecurrentState",
              "starts[environment] ? new float[row.length] : row",
              "starts[(environment + 1) % starts.length] ? new float[row.length] :" + " row"),
          Mutant.of(
              "gradients of single parameters are not cleared",
              QUANTILE,
              "order-of-scaling-and-clipping",
              "network/ParameterReplica",
              "Arrays.fill(gradient, (int) slot.offset(), (int) (slot.offset() +"
                  + " slot.count()), 0);",
              "Arrays.fill(gradient, (int) slot.offset(), (int) slot.offset(), 0);"),
          Mutant.of(
              "affine maps keep the biases from before a step",
              QUANTILE,
              "parameters-after-an-iteration",
              "network/Parameters",
              "          weights.forEach(map -> map.readBias(values));\n          read",
              "          read"),
          Mutant.of(
              "a pool of threads skips the last range of a loop",
              QUANTILE,
              "threads",
              "parallel/WorkerPool",
              "Round loop = new Round(parts, part::accept);",
              "Round loop = new Round(Math.max(1, parts - 1), part::accept);"),
          Mutant.of(
              "a loop skips its first range",
              FREE,
              "loss-against-finite-differences",
              "parallel/ParallelLoop",
              "for (int i = 0; i < parts; i++) {",
              "for (int i = parts > 1 ? 1 : 0; i < parts; i++) {"),
          Mutant.of(
              "a chunked loop skips the last number",
              QUANTILE,
              "optimiser-steps",
              "parallel/ChunkedRange",
              "task.accept(0, count)",
              "task.accept(0, count / 2)"));
}
