package io.quantail.audit.slow;

import io.quantail.config.Memory;
import io.quantail.config.NetworkConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The gradient of {@link SlowLoss} by all parameters, by the chain rule written out in doubles.
 *
 * <p>The loss of a sample is differentiated by the network's outputs with finite differences; from
 * there on the derivatives of each layer are carried back, through time where a memory has carried
 * something on. The checks of the gradient do without it: they compare with finite differences of
 * the whole loss. It is for whole updates, which would take too long that way.
 */
final class SlowGradient {
  private static final double STEP = 3e-8; // small: a kink between two sides spoils a difference

  private final SlowLoss loss;
  private final SlowNetwork network;
  private final NetworkConfig config;
  private final double[] parameters;
  private final double[] gradient;

  private SlowGradient(SlowLoss loss, double[] parameters) {
    this.loss = loss;
    this.network = loss.network();
    this.config = loss.config().network();
    this.parameters = parameters;
    gradient = new double[parameters.length];
  }

  /** Of the mean loss over the samples of some windows. */
  static double[] of(SlowLoss loss, double[] parameters, int[] windows) {
    SlowGradient result = new SlowGradient(loss, parameters);
    double cvarSlope = loss.riskSlope(parameters, windows);
    int samples = windows.length * loss.experience().window();
    for (int window : windows) {
      result.add(window, samples, cvarSlope);
    }
    return result.gradient;
  }

  /** What one step of one trunk leaves for the way back. */
  private static final class Trace {
    final List<double[]> inputs = new ArrayList<>(); // of each memory layer
    final List<double[]> hiddenBefore = new ArrayList<>();
    final List<double[]> cellBefore = new ArrayList<>();
    final List<double[][]> gates = new ArrayList<>(); // input, forget, candidate, output
    final List<double[]> cell = new ArrayList<>();
    double[] features;
    double[] firstSum;
    double[] first;
    double[] secondSum;
    double[] latent;
  }

  private void add(int window, int samples, double cvarSlope) {
    Experience experience = loss.experience();
    List<List<Trace>> traces = new ArrayList<>(); // [row][trunk]
    SlowNetwork.State state = experience.windowStates()[window].copy();
    for (int row = 0; row < experience.window(); row++) {
      if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
        state = network.start();
      }
      double[] observation = experience.observations()[experience.transition(window, row)];
      List<Trace> step = new ArrayList<>();
      for (int trunk = 0; trunk < names().size(); trunk++) {
        step.add(forward(names().get(trunk), trunk * config.layers(), observation, state));
      }
      traces.add(step);
    }
    for (int trunk = 0; trunk < names().size(); trunk++) {
      backward(window, trunk, traces, samples, cvarSlope);
    }
  }

  private List<String> names() {
    return config.sharedMemory() ? List.of("shared") : List.of("actor", "critic");
  }

  private Trace forward(String name, int slot, double[] observation, SlowNetwork.State state) {
    Trace trace = new Trace();
    double[] x = observation;
    int width = config.hidden();
    for (int layer = 0; layer < memoryLayers(); layer++) {
      String lstm = name + ".lstm." + layer;
      double[] hidden = state.hidden()[slot + layer];
      double[] before = state.cell()[slot + layer];
      double[] sums = affine(lstm + ".weight_ih", lstm + ".bias_ih", x, 4 * width);
      double[] more = affine(lstm + ".weight_hh", lstm + ".bias_hh", hidden, 4 * width);
      double[][] gates = new double[4][width];
      double[] cell = new double[width];
      double[] next = new double[width];
      for (int i = 0; i < width; i++) {
        for (int gate = 0; gate < 4; gate++) {
          double sum = sums[gate * width + i] + more[gate * width + i];
          gates[gate][i] = gate == 2 ? Math.tanh(sum) : 1 / (1 + Math.exp(-sum));
        }
        cell[i] = gates[1][i] * before[i] + gates[0][i] * gates[2][i];
        next[i] = gates[3][i] * Math.tanh(cell[i]);
      }
      trace.inputs.add(x);
      trace.hiddenBefore.add(hidden);
      trace.cellBefore.add(before);
      trace.gates.add(gates);
      trace.cell.add(cell);
      state.hidden()[slot + layer] = next;
      state.cell()[slot + layer] = cell;
      x = next;
    }
    trace.features = x;
    String mlp = name + ".mlp";
    int head = config.headWidth();
    trace.firstSum = affine(mlp + ".first.weight", mlp + ".first.bias", x, head);
    trace.first = activated(trace.firstSum);
    trace.latent = trace.first;
    if (config.headLayers() == 2) {
      trace.secondSum = affine(mlp + ".second.weight", mlp + ".second.bias", trace.first, head);
      double[] skip = affine(mlp + ".skip.weight", null, x, head);
      trace.latent = activated(trace.secondSum);
      for (int i = 0; i < head; i++) {
        trace.latent[i] += skip[i];
      }
    }
    return trace;
  }

  private int memoryLayers() {
    return config.memory() == Memory.LSTM ? config.layers() : 0;
  }

  private void backward(
      int window, int trunk, List<List<Trace>> traces, int samples, double cvarSlope) {
    Experience experience = loss.experience();
    String name = names().get(trunk);
    double[][] dHidden = new double[memoryLayers()][config.hidden()]; // from the step after
    double[][] dCell = new double[memoryLayers()][config.hidden()];
    for (int row = experience.window() - 1; row >= 0; row--) {
      int transition = experience.transition(window, row);
      if (experience.ends()[transition]) {
        dHidden = new double[memoryLayers()][config.hidden()];
        dCell = new double[memoryLayers()][config.hidden()];
      }
      Trace trace = traces.get(row).get(trunk);
      double[] dLatent = new double[config.headWidth()];
      if (trunk == 0) {
        throughActions(trace.latent, dLatent, transition, samples);
      }
      if (trunk == names().size() - 1) {
        throughCritics(trace.latent, dLatent, transition, samples, cvarSlope);
      }
      double[] dx = throughLayers(name + ".mlp", trace, dLatent);
      for (int layer = memoryLayers() - 1; layer >= 0; layer--) {
        for (int i = 0; i < dx.length; i++) {
          dx[i] += dHidden[layer][i];
        }
        dx = throughMemory(name + ".lstm." + layer, trace, layer, dx, dHidden, dCell);
      }
    }
  }

  private void throughActions(double[] latent, double[] dLatent, int transition, int samples) {
    int actions = network.actions();
    double[] head = affine("actor.head.weight", "actor.head.bias", latent, actions);
    double[] policy = network.policy(parameters, head);
    double[] slopes = new double[policy.length];
    for (int i = 0; i < policy.length; i++) {
      double[] above = policy.clone();
      double[] below = policy.clone();
      above[i] += STEP;
      below[i] -= STEP;
      slopes[i] =
          (loss.policyTerms(above, transition) - loss.policyTerms(below, transition))
              / (2 * STEP * samples);
    }
    double[] dHead = Arrays.copyOf(slopes, actions);
    back("actor.head.weight", "actor.head.bias", latent, dHead, dLatent);
    if (policy.length > actions) {
      int offset = network.offset("actor.sigma");
      for (int i = 0; i < actions; i++) {
        double share = 1 / (1 + Math.exp(-parameters[offset + i]));
        double range = config.sigmaMax() - config.sigmaMin();
        gradient[offset + i] += slopes[actions + i] * range * share * (1 - share);
      }
    }
  }

  private void throughCritics(
      double[] latent, double[] dLatent, int transition, int samples, double cvarSlope) {
    int critics = network.critics();
    for (int critic = 0; critic < critics; critic++) {
      String name = "critic.head" + (critic + 1);
      double[] outputs = affine(name + ".weight", name + ".bias", latent, network.criticOutputs());
      double[] slopes = new double[outputs.length];
      for (int i = 0; i < outputs.length; i++) {
        double[] above = outputs.clone();
        double[] below = outputs.clone();
        above[i] += STEP;
        below[i] -= STEP;
        double byLoss =
            loss.criticLoss(above, transition, critic) - loss.criticLoss(below, transition, critic);
        double byCvar = cvarSlope == 0 ? 0 : cvarSlope * (loss.cvar(above) - loss.cvar(below));
        slopes[i] = (loss.weights().critic() * byLoss + byCvar) / (2 * STEP * samples * critics);
      }
      back(name + ".weight", name + ".bias", latent, slopes, dLatent);
    }
  }

  private double[] throughLayers(String name, Trace trace, double[] dLatent) {
    double[] dFeatures = new double[trace.features.length];
    double[] dFirst = dLatent;
    if (config.headLayers() == 2) {
      back(name + ".skip.weight", null, trace.features, dLatent, dFeatures);
      dFirst = new double[trace.first.length];
      double[] dSecond = throughActivation(trace.secondSum, dLatent);
      back(name + ".second.weight", name + ".second.bias", trace.first, dSecond, dFirst);
    }
    double[] dSum = throughActivation(trace.firstSum, dFirst);
    back(name + ".first.weight", name + ".first.bias", trace.features, dSum, dFeatures);
    return dFeatures;
  }

  /**
   * Returns the gradient of the layer's input; those of the states before it replace the others.
   */
  private double[] throughMemory(
      String name, Trace trace, int layer, double[] dNext, double[][] dHidden, double[][] dCell) {
    int width = config.hidden();
    double[][] gates = trace.gates.get(layer);
    double[] before = trace.cellBefore.get(layer);
    double[] dSums = new double[4 * width];
    for (int i = 0; i < width; i++) {
      double in = gates[0][i];
      double forget = gates[1][i];
      double candidate = gates[2][i];
      double out = gates[3][i];
      double squashed = Math.tanh(trace.cell.get(layer)[i]);
      double byCell = dCell[layer][i] + dNext[i] * out * (1 - squashed * squashed);
      dSums[i] = byCell * candidate * in * (1 - in);
      dSums[width + i] = byCell * before[i] * forget * (1 - forget);
      dSums[2 * width + i] = byCell * in * (1 - candidate * candidate);
      dSums[3 * width + i] = dNext[i] * squashed * out * (1 - out);
      dCell[layer][i] = byCell * forget;
    }
    double[] dx = new double[trace.inputs.get(layer).length];
    dHidden[layer] = new double[width];
    back(name + ".weight_ih", name + ".bias_ih", trace.inputs.get(layer), dSums, dx);
    back(
        name + ".weight_hh",
        name + ".bias_hh",
        trace.hiddenBefore.get(layer),
        dSums,
        dHidden[layer]);
    return dx;
  }

  private double[] throughActivation(double[] sums, double[] dy) {
    double[] dSums = new double[sums.length];
    for (int i = 0; i < sums.length; i++) {
      double rise = network.activation(sums[i] + STEP) - network.activation(sums[i] - STEP);
      dSums[i] = dy[i] * rise / (2 * STEP);
    }
    return dSums;
  }

  private double[] activated(double[] sums) {
    double[] y = new double[sums.length];
    for (int i = 0; i < sums.length; i++) {
      y[i] = network.activation(sums[i]);
    }
    return y;
  }

  private double[] affine(String weight, String bias, double[] x, int outputs) {
    return network.affine(parameters, weight, bias, x, outputs);
  }

  /** Adds the gradients of a map's weights, of its bias if it has one, and of its input. */
  private void back(String weight, String bias, double[] x, double[] dy, double[] dx) {
    int weights = network.offset(weight);
    for (int row = 0; row < dy.length; row++) {
      for (int column = 0; column < x.length; column++) {
        int place = weights + row * x.length + column;
        gradient[place] += dy[row] * x[column];
        dx[column] += dy[row] * parameters[place];
      }
      if (bias != null) {
        gradient[network.offset(bias) + row] += dy[row];
      }
    }
  }
}
