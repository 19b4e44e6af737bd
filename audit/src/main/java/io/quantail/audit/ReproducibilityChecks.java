package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Bitwise reproducibility of a run: by seed, with other threads, and after a snapshot. */
final class ReproducibilityChecks {
  private static final int UPDATES = 2;

  private ReproducibilityChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "repetition",
        check(
                "same-seed-same-bits",
                "ENV-3",
                subject -> differ(train(subject, 1, 2 * UPDATES), train(subject, 1, 2 * UPDATES)))
            .compares("whole state after two short trainings from one seed")
            .exercises("Trainer RolloutCollector WorkerPool RandomStream"),
        check(
                "threads",
                "ENV-3",
                subject -> differ(train(subject, 1, 2 * UPDATES), train(subject, 2, 2 * UPDATES)))
            .compares("whole state after a short training with one thread and with two")
            .exercises(
                "WorkerPool ParallelLoop RolloutCollector PpoUpdate AffineMap GradientProducts"),
        check("snapshot-round-trip", "CKPT-1 CKPT-2", ReproducibilityChecks::roundTrip)
            .compares("N updates, a snapshot on disk, N more from it with 2N updates")
            .exercises("Trainer SnapshotStore StateMap Adam Sgd Upgd PolicyRunner AgentModel"));
  }

  private static RunConfig settings(AuditSubject subject, int threads) {
    return SampleConfig.with(SampleConfig.own(subject.config()), "training.threads=" + threads);
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

  private static AuditOutcome differ(StateMap first, StateMap second) {
    Map<String, StateArray> expected = first.entries();
    List<String> different =
        expected.keySet().stream()
            .filter(name -> !Objects.equals(expected.get(name), second.entries().get(name)))
            .toList();
    boolean same = different.isEmpty() && expected.keySet().equals(second.entries().keySet());
    return AuditOutcome.of(
        same,
        String.format(Locale.ROOT, "%d of %d entries differ", different.size(), expected.size()),
        "0",
        same ? "compared bit by bit" : "different: " + different);
  }

  private static AuditOutcome roundTrip(AuditSubject subject) throws IOException {
    StateMap whole = train(subject, 1, 2 * UPDATES);
    Path directory = Files.createTempDirectory("quantail-audit");
    try {
      SnapshotStore store = new SnapshotStore(directory);
      store.write(train(subject, 1, UPDATES), info());
      try (Trainer trainer = new Trainer(settings(subject, 1), subject.own().factory())) {
        if (!trainer.load(store.latest().orElseThrow().state())) {
          return AuditOutcome.skipped(
              "the environment cannot save its episodes; a resumed run starts new ones");
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
