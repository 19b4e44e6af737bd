package io.quantail.bench;

import io.quantail.app.bench.BenchmarkWorkload;
import io.quantail.config.RunConfig;
import io.quantail.train.Trainer;
import java.util.List;

/** A trainer of a workload that has done one update. */
final class WarmTrainer {
  private WarmTrainer() {}

  static RunConfig config(String workload, String... overrides) {
    return BenchmarkWorkload.named(workload).config(1, List.of(overrides));
  }

  static Trainer trainer(String workload) {
    Trainer trainer =
        new Trainer(config(workload), BenchmarkWorkload.named(workload).environments());
    trainer.iterate();
    return trainer;
  }
}
