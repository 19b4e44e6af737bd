package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;

/**
 * The predictions of an agent at the decisions of one pass: for each, the distribution of the
 * discounted sum of log-returns that follow. Arrays are shared and must not be changed.
 *
 * @param stride distance between two recorded decisions: row {@code i} was predicted before step
 *     {@code i * stride}
 * @param outputs of the critic with the lower mean, {@code [row][output]}
 * @param critic reads them; one thread at a time
 * @param scale converts them to returns
 * @param risk how the lower tail is measured
 */
public record ForecastSeries(
    int stride, float[][] outputs, Critic critic, ReturnScale scale, RiskConfig risk) {

  /** Number of predictions. */
  public int size() {
    return outputs.length;
  }
}
