package io.quantail.gymnasium;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Provides every environment of Gymnasium under the name {@code gymnasium:ID}. */
public final class GymnasiumProvider implements EnvironmentProvider {
  private static final String PREFIX = "gymnasium:";

  @Override
  public String name() {
    return PREFIX;
  }

  @Override
  public EnvironmentFactory factory(RunConfig config) {
    String id = config.environment().name().substring(PREFIX.length());
    if (id.isBlank()) {
      throw new ConfigException(
          "environment.name must name an environment of Gymnasium after \"gymnasium:\", for example"
              + " gymnasium:LunarLander-v3");
    }
    GymnasiumConfig settings =
        config.modules().find(GymnasiumConfig.class).orElseGet(GymnasiumConfig::defaults);
    GymnasiumFactory factory =
        GymnasiumEnvironment.make(id)
            .processes(settings.processes())
            .deadline(
                Duration.ofNanos(
                    (long) (settings.deadlineSeconds() * TimeUnit.SECONDS.toNanos(1))));
    if (settings.python() != null) {
      factory = factory.python(Path.of(settings.python()));
    }
    for (var argument : settings.arguments().entrySet()) {
      factory = factory.option(argument.getKey(), argument.getValue());
    }
    return factory;
  }
}
