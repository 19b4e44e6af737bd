package io.quantail.rollout;

import java.util.ArrayList;
import java.util.List;

/**
 * Mean, spread and average length of the hidden vectors of one recurrent layer.
 *
 * @param mean mean over environments and units
 * @param std population standard deviation over environments and units
 * @param norm root mean square over environments of the length of the hidden vector
 */
public record HiddenStatistics(double mean, double std, double norm) {

  /** One record per slot, from hidden states [slot, environment, width] of several lanes. */
  static List<HiddenStatistics> of(List<float[]> states, int slots, int width) {
    List<HiddenStatistics> statistics = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      double sum = 0;
      double squares = 0;
      long count = 0;
      for (float[] state : states) {
        int plane = state.length / slots;
        for (int i = slot * plane; i < (slot + 1) * plane; i++) {
          sum += state[i];
          squares += (double) state[i] * state[i];
        }
        count += plane;
      }
      double mean = sum / count;
      statistics.add(
          new HiddenStatistics(
              mean,
              Math.sqrt(Math.max(0, squares / count - mean * mean)),
              Math.sqrt(squares * width / count)));
    }
    return statistics;
  }
}
