package io.quantail.market.forecast;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.MarketEnvironments;
import io.quantail.train.TrainingObserverProvider;
import java.util.Optional;

/** Adds the forecast of the next bar to trainings on a market. */
public final class ForecastTrainingProvider implements TrainingObserverProvider {
  @Override
  public Optional<ForecastTraining> observer(RunConfig config, EnvironmentFactory environments) {
    if (!(environments instanceof MarketEnvironments episodes)) {
      return Optional.empty();
    }
    return NextBarForecaster.untrained(episodes.market(), config.seed())
        .map(forecaster -> new ForecastTraining(episodes.market(), forecaster));
  }
}
