package io.quantail.bench;

import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Saving a whole training to disk, synced. */
@State(Scope.Thread)
public class SnapshotBenchmark {
  private Trainer trainer;
  private Path directory;
  private SnapshotStore store;
  private long update;

  @Setup(Level.Trial)
  public void prepare() throws IOException {
    trainer = WarmTrainer.trainer("trading-64");
    directory = Files.createTempDirectory("snapshots");
    store = new SnapshotStore(directory);
  }

  @Benchmark
  public Object save() {
    StateMap state = new StateMap();
    trainer.save(state);
    update++;
    return store.write(state, new SnapshotInfo(update, update, "0", null, Map.of()));
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    trainer.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
