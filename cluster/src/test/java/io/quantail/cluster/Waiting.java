package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Patience for what other processes do. */
final class Waiting {
  private static final int PAUSE_MILLIS = 50;
  private static final int PATIENCE_MILLIS = 180_000;

  private Waiting() {}

  static void forFile(Path file) throws InterruptedException {
    until(() -> Files.exists(file));
    assertThat(file).exists();
  }

  static void until(BooleanSupplier condition) throws InterruptedException {
    for (int waited = 0; waited < PATIENCE_MILLIS; waited += PAUSE_MILLIS) {
      if (condition.getAsBoolean()) {
        return;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
