package io.quantail.market;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.data.DataException;
import io.quantail.run.Ancestor;
import io.quantail.run.Inheritance;
import io.quantail.run.RunEnvironments;
import io.quantail.run.RunReader;
import io.quantail.run.settings.ConfigDiff;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Makes the environments of market runs that start with the agent of another run: with the scaling
 * of features and the risk units of that run, which the file {@code market.json} of each holds.
 * Tested by {@code InheritanceTest}.
 */
public final class MarketRunEnvironments implements RunEnvironments {
  private static final String ACTION = "market.action.";

  @Override
  public boolean supports(RunConfig config) {
    return MarketProvider.provides(config);
  }

  @Override
  public EnvironmentFactory inheriting(RunConfig config, RunReader ancestor) {
    requireSameActions(config, ancestor);
    return MarketEnvironments.training(
        MarketManifest.read(ancestor.directory())
            .descendant(
                MarketProvider.settings(config),
                config.risk(),
                MarketProvider.settings(ancestor.config()),
                ancestor.config().training()));
  }

  /** Refuses actions that mean something else than they did to the ancestor. */
  private static void requireSameActions(RunConfig config, RunReader ancestor) {
    Map<String, String> now = ConfigDiff.flat(config);
    Map<String, String> then = ConfigDiff.flat(ancestor.config());
    TreeSet<String> paths = new TreeSet<>(now.keySet());
    paths.addAll(then.keySet());
    for (String path : paths) {
      if (path.startsWith(ACTION) && !Objects.equals(now.get(path), then.get(path))) {
        throw Inheritance.different(
            ancestor, path, String.valueOf(now.get(path)), String.valueOf(then.get(path)));
      }
    }
  }

  @Override
  public EnvironmentFactory reopened(RunConfig config, Path run) {
    MarketConfig market = MarketProvider.settings(config);
    try {
      MarketManifest manifest = MarketManifest.read(run);
      if (manifest.inherits()) {
        return MarketEnvironments.training(manifest.ownMarket(market, config.risk()));
      }
    } catch (DataException unreadable) {
      if (!Ancestor.read(run).isEmpty()) {
        throw unreadable;
      }
    }
    return MarketEnvironments.training(Market.load(market, config.risk()));
  }
}
