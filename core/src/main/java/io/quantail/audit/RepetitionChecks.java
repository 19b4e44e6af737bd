package io.quantail.audit;

import io.quantail.checkpoint.SnapshotInfo;
import io.quantail.checkpoint.SnapshotStore;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Whether the same run gives the same bits again. */
final class RepetitionChecks {
  private static final String TOPIC = "repetition";
  private static final int UPDATES = 2;

  private RepetitionChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "same-seed-same-bits",
                "ENV-3",
                "whole state after two short trainings from one seed",
                subject -> differ(train(subject, 1, 2 * UPDATES), train(subject, 1, 2 * UPDATES)))
            .exercising("Trainer Collector WorkerPool RandomStream"),
        AuditCheck.of(
                TOPIC,
                "threads",
                "ENV-3",
                "whole state after a short training with one thread and with two",
                subject -> differ(train(subject, 1, 2 * UPDATES), train(subject, 2, 2 * UPDATES)))
            .exercising("WorkerPool ParallelLoop Collector PpoUpdate Affine PanelSums"),
        AuditCheck.of(
                TOPIC,
                "snapshot-round-trip",
                "CKPT-1 CKPT-2",
                "N updates, a snapshot on disk, N more from it with 2N updates",
                RepetitionChecks::roundTrip)
            .exercising("Trainer SnapshotStore StateMap Adam Sgd Upgd PolicyRunner AgentModel"));
  }

  private static RunConfig settings(AuditSubject subject, int threads) {
    return SampleSettings.with(SampleSettings.own(subject.config()), "training.threads=" + threads);
  }

  private static StateMap train(AuditSubject subject, int threads, int updates) {
    try (Trainer trainer = new Trainer(settings(subject, threads), subject.own().factory())) {
      return iterate(trainer, updates);
    }
  }

  private static StateMap iterate(Trainer trainer, int updates) {
    for (int i = 0; i < updates; i++) {
      trainer.iterate();
    }
    StateMap state = new StateMap();
    trainer.save(state);
    return state;
  }

  private static Outcome differ(StateMap first, StateMap second) {
    Map<String, StateArray> expected = first.entries();
    List<String> different =
        expected.keySet().stream()
            .filter(name -> !expected.get(name).equals(second.entries().get(name)))
            .toList();
    boolean same = different.isEmpty() && expected.keySet().equals(second.entries().keySet());
    return Outcome.of(
        same,
        "%d of %d entries differ".formatted(different.size(), expected.size()),
        "0",
        same ? "compared bit by bit" : "different: " + different);
  }

  private static Outcome roundTrip(AuditSubject subject) throws IOException {
    StateMap whole = train(subject, 1, 2 * UPDATES);
    Path directory = Files.createTempDirectory("quantail-audit");
    try {
      SnapshotStore store = new SnapshotStore(directory);
      store.write(train(subject, 1, UPDATES), info());
      try (Trainer trainer = new Trainer(settings(subject, 1), subject.own().factory())) {
        if (!trainer.load(store.latest().orElseThrow().state())) {
          return Outcome.skipped(
              "the environment cannot save its episodes; a resumed run begins new ones");
        }
        return differ(whole, iterate(trainer, UPDATES));
      }
    } finally {
      AtomicFiles.deleteDirectory(directory);
    }
  }

  private static SnapshotInfo info() {
    return new SnapshotInfo(UPDATES, 0, "audit", null, Map.of());
  }
}
