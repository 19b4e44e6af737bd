package io.quantail.tensor;

import org.bytedeco.javacpp.PointerScope;

/**
 * Owns every tensor made in this thread while it is open, and frees them when it closes.
 *
 * <p>One per rollout step or microbatch, always in try-with-resources, closed by the thread that
 * opened it. A tensor that must live longer is {@linkplain Tensor#retain() retained}.
 */
public final class Scope implements AutoCloseable {
  private final PointerScope pointers;

  private Scope() {
    pointers = new PointerScope();
  }

  /** Opens a scope for this thread. */
  public static Scope open() {
    Torch.load();
    return new Scope();
  }

  @Override
  public void close() {
    pointers.close();
  }
}
