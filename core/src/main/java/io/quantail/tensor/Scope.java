package io.quantail.tensor;

import org.bytedeco.javacpp.PointerScope;

/**
 * Owns every tensor made in this thread while it is open, and frees them when it closes.
 *
 * <p>One per rollout step or microbatch, always in try-with-resources, closed by the thread that
 * opened it. A tensor that must live longer is {@linkplain Tensor#retain() retained}.
 */
public final class Scope implements AutoCloseable {
  /** OpenMP counts threads per calling thread, so each thread has to say once that it is alone. */
  private static final ThreadLocal<Boolean> SINGLE =
      ThreadLocal.withInitial(
          () -> {
            Torch.useOneThread();
            return true;
          });

  private final PointerScope pointers;

  private Scope() {
    pointers = new PointerScope();
  }

  /** Opens a scope for this thread. */
  public static Scope open() {
    SINGLE.get();
    return new Scope();
  }

  @Override
  public void close() {
    pointers.close();
  }
}
