package io.quantail.tensor;

import org.bytedeco.pytorch.AutoGradMode;

/** Switches the recording of gradients off in this thread while it is open. */
public final class Gradients implements AutoCloseable {
  private final AutoGradMode mode;

  private Gradients(boolean enabled) {
    mode = new AutoGradMode(enabled);
  }

  /** Operators run without recording a graph until the result is closed. */
  public static Gradients off() {
    Torch.load();
    return new Gradients(false);
  }

  @Override
  public void close() {
    mode.close();
  }
}
