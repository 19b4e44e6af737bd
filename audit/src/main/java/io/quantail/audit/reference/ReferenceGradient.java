package io.quantail.audit.reference;

import io.quantail.config.NetworkConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gradient of {@link ReferenceLoss} by all parameters: the chain rule in double precision.
 *
 * <p>The loss of a sample is differentiated by the network's outputs with finite differences. The
 * backward pass through the layers, and through time for LSTM layers, is written out. The checks of
 * the gradient do not use this class: they compare with finite differences of the whole loss. Whole
 * updates use it, because finite differences would take too long.
 */
final class ReferenceGradient {
  private static final double STEP = 3e-8; // small, so that few differences span a kink

  private final ReferenceLoss loss;
  private final ReferenceNetwork network;
  private final NetworkConfig config;
  private final double[] parameters;
  private final double[] gradient;

  private ReferenceGradient(ReferenceLoss loss, double[] parameters) {
    this.loss = loss;
    this.network = loss.network();
    this.config = loss.config().network();
    this.parameters = parameters;
    gradient = new double[parameters.length];
  }

  /** The gradient of the mean loss over the samples of some windows. */
  static double[] of(ReferenceLoss loss, double[] parameters, int[] windows) {
    ReferenceGradient result = new ReferenceGradient(loss, parameters);
    double cvarSlope = loss.riskSlope(parameters, windows);
    int samples = windows.length * loss.experience().window();
    for (int window : windows) {
      for (int trunk = 0; trunk < loss.network().trunks().size(); trunk++) {
        result.backward(window, trunk, samples, cvarSlope);
      }
    }
    return result.gradient;
  }

  private void backward(int window, int trunk, int samples, double cvarSlope) {
    ReferenceRollout experience = loss.experience();
    List<ReferenceNetwork.Trace> traces = new ArrayList<>();
    experience.forEachStep(
        window,
        network,
        (transition, state) ->
            traces.add(
                network.trunk(parameters, trunk, experience.observations()[transition], state)));
    String name = network.trunks().get(trunk);
    int layers = network.memoryLayers();
    double[][] dHidden = new double[layers][config.hidden()]; // from the following step
    double[][] dCell = new double[layers][config.hidden()];
    for (int row = experience.window() - 1; row >= 0; row--) {
      int transition = experience.transition(window, row);
      if (experience.ends()[transition]) {
        dHidden = new double[layers][config.hidden()];
        dCell = new double[layers][config.hidden()];
      }
      ReferenceNetwork.Trace trace = traces.get(row);
      double[] dLatent = new double[config.headWidth()];
      if (trunk == 0) {
        throughActions(trace.latent, dLatent, transition, samples);
      }
      if (trunk == network.trunks().size() - 1) {
        throughCritics(trace.latent, dLatent, transition, samples, cvarSlope);
      }
      double[] dx = throughMlp(name + ".mlp", trace, dLatent);
      for (int layer = layers - 1; layer >= 0; layer--) {
        for (int i = 0; i < dx.length; i++) {
          dx[i] += dHidden[layer][i];
        }
        String lstm = name + ".lstm." + layer;
        dx = throughLstm(lstm, trace.memory.get(layer), dx, dHidden[layer], dCell[layer]);
      }
    }
  }

  private void throughActions(double[] latent, double[] dLatent, int transition, int samples) {
    double[] policy = network.policy(parameters, latent);
    double[] slopes =
        ReferenceMath.differences(STEP, policy, now -> loss.policyTerms(now, transition) / samples);
    back("actor.head", latent, network.outputsOf(slopes), dLatent);
    double[] byDeviation = network.deviationsOf(slopes);
    if (network.stateDependent()) {
      double[] byLogSigma = network.logSigmaSlopes(parameters, latent, slopes);
      for (int k = 0; k < byLogSigma.length; k++) {
        gradient[network.offset("actor.log_sigma") + k] += byLogSigma[k];
      }
    } else if (byDeviation.length > 0) {
      int offset = network.offset("actor.sigma");
      for (int i = 0; i < byDeviation.length; i++) {
        double fraction = 1 / (1 + Math.exp(-parameters[offset + i]));
        double range = config.sigmaMax() - config.sigmaMin();
        gradient[offset + i] += byDeviation[i] * range * fraction * (1 - fraction);
      }
    }
  }

  private void throughCritics(
      double[] latent, double[] dLatent, int transition, int samples, double cvarSlope) {
    int critics = network.critics();
    double weight = loss.weights().critic();
    for (int i = 0; i < critics; i++) {
      int critic = i;
      double[] slopes =
          ReferenceMath.differences(
              STEP,
              network.critic(parameters, critic, latent),
              now ->
                  (weight * loss.criticLoss(now, transition, critic)
                          + (cvarSlope == 0 ? 0 : cvarSlope * loss.cvar(now)))
                      / (samples * critics));
      int points = network.points();
      back("critic.head" + (critic + 1), latent, Arrays.copyOf(slopes, points), dLatent);
      if (slopes.length > points) {
        back("critic.mean" + (critic + 1), latent, new double[] {slopes[points]}, dLatent);
      }
    }
  }

  private double[] throughMlp(String name, ReferenceNetwork.Trace trace, double[] dLatent) {
    double[] dFeatures = new double[trace.features.length];
    double[] dFirst = dLatent;
    if (config.headLayers() == 2) {
      back(name + ".skip.weight", null, trace.features, dLatent, dFeatures);
      dFirst = new double[trace.first.length];
      double[] dSecond = throughActivation(trace.secondSum, dLatent);
      back(name + ".second", trace.first, dSecond, dFirst);
    }
    back(name + ".first", trace.features, throughActivation(trace.firstSum, dFirst), dFeatures);
    return dFeatures;
  }

  /** Returns the gradient of the layer's input and replaces those of the recurrent state. */
  private double[] throughLstm(
      String name,
      ReferenceNetwork.LstmTrace trace,
      double[] dNext,
      double[] dHidden,
      double[] dCell) {
    int width = config.hidden();
    double[] dSums = new double[4 * width];
    for (int i = 0; i < width; i++) {
      double in = trace.gates()[0][i];
      double forget = trace.gates()[1][i];
      double candidate = trace.gates()[2][i];
      double out = trace.gates()[3][i];
      double squashed = Math.tanh(trace.cell()[i]);
      double byCell = dCell[i] + dNext[i] * out * (1 - squashed * squashed);
      dSums[i] = byCell * candidate * in * (1 - in);
      dSums[width + i] = byCell * trace.cellBefore()[i] * forget * (1 - forget);
      dSums[2 * width + i] = byCell * in * (1 - candidate * candidate);
      dSums[3 * width + i] = dNext[i] * squashed * out * (1 - out);
      dCell[i] = byCell * forget;
    }
    double[] dx = new double[trace.input().length];
    Arrays.fill(dHidden, 0);
    back(name + ".weight_ih", name + ".bias_ih", trace.input(), dSums, dx);
    back(name + ".weight_hh", name + ".bias_hh", trace.hiddenBefore(), dSums, dHidden);
    return dx;
  }

  private double[] throughActivation(double[] sums, double[] dy) {
    double[] dSums = new double[sums.length];
    Arrays.setAll(dSums, i -> dy[i] * ReferenceMath.slope(STEP, sums[i], network::activation));
    return dSums;
  }

  private void back(String layer, double[] x, double[] dy, double[] dx) {
    back(layer + ".weight", layer + ".bias", x, dy, dx);
  }

  /** Adds the gradients of a layer's weights, of its bias if it has one, and of its input. */
  private void back(String weight, @Nullable String bias, double[] x, double[] dy, double[] dx) {
    int weights = network.offset(weight);
    for (int row = 0; row < dy.length; row++) {
      for (int column = 0; column < x.length; column++) {
        int index = weights + row * x.length + column;
        gradient[index] += dy[row] * x[column];
        dx[column] += dy[row] * parameters[index];
      }
      if (bias != null) {
        gradient[network.offset(bias) + row] += dy[row];
      }
    }
  }
}
