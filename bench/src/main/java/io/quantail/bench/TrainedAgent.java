package io.quantail.bench;

import io.quantail.app.bench.Workload;
import io.quantail.config.RunConfig;
import io.quantail.train.Trainer;
import java.util.List;

/** A trainer of a workload that has done one update. */
final class TrainedAgent {
  private TrainedAgent() {}

  static RunConfig config(String workload, String... overrides) {
    return Workload.named(workload).config(1, List.of(overrides));
  }

  static Trainer trainer(String workload) {
    Trainer trainer = new Trainer(config(workload), Workload.named(workload).environments());
    trainer.iterate();
    return trainer;
  }
}
