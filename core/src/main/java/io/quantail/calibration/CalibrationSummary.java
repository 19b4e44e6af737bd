package io.quantail.calibration;

import org.jspecify.annotations.Nullable;

/**
 * How well predicted distributions fit realised returns.
 *
 * @param steps number of predictions compared
 * @param independent number of independent predictions they are worth, see {@link
 *     CalibrationSample#independent(double, long, long)}
 * @param coverage05 fraction of the returns at or below the predicted 5 % quantile; 0.05 if
 *     calibrated
 * @param coverage20 the same for the 20 % quantile
 * @param coverage50 the same for the median
 * @param coverage95 the same for the 95 % quantile
 * @param pitDeviation mean distance of the sorted levels from those of a calibrated prediction,
 *     {@code mean |PIT_(i) - (i + 0.5) / n|}; 0 if calibrated, and at most about {@code 0.31 /
 *     sqrt(independent)} by chance
 * @param tailRealised mean return of the predictions whose level is at most {@code alpha}, raw
 *     units; null if there is none
 * @param tailPredicted mean predicted CVaR of the same; null if there is none
 * @param lagUpdates mean number of updates between a prediction and its comparison
 */
public record CalibrationSummary(
    long steps,
    double independent,
    double coverage05,
    double coverage20,
    double coverage50,
    double coverage95,
    double pitDeviation,
    @Nullable Double tailRealised,
    @Nullable Double tailPredicted,
    double lagUpdates) {}
