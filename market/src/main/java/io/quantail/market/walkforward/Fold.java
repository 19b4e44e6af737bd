package io.quantail.market.walkforward;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.List;

/** One division of the bars on which agents are trained and evaluated. */
public interface Fold {
  /** The number of the fold, from 1 on. */
  int number();

  /** The settings {@code market.split} of the fold, as {@code path=value}. */
  List<String> split();

  /** The settings of a run that is trained and evaluated on this fold. */
  default RunConfig run(RunConfig base, long seed) {
    List<String> changes = new ArrayList<>();
    changes.add("seed=" + seed);
    // Independent of threads and seeds, so that finished agents are recognised.
    changes.add("training.threads=1");
    changes.add("market.walkforward.seeds=1");
    changes.addAll(split());
    return YamlConfig.parse(YamlConfig.toYaml(base), "fold " + number(), changes);
  }
}
