package io.quantail.app.dashboard;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A connected client of the server-sent events. Writing never blocks: what cannot be sent at once
 * is queued, and a client that leaves more than 4 MB unread is disconnected.
 */
final class EventClient implements WriteListener {
  private static final int MOST_UNREAD_BYTES = 4 << 20;

  private final AsyncContext context;
  private final ServletOutputStream output;
  private final Set<String> runs;
  private final Consumer<EventClient> whenClosed;
  private final Deque<byte[]> unread = new ArrayDeque<>();
  private long unreadBytes;
  private boolean writable; // set once the server allows writing
  private boolean unflushed;
  private boolean closed;

  /**
   * @param runs whose rows the client receives
   */
  EventClient(AsyncContext context, Set<String> runs, Consumer<EventClient> whenClosed)
      throws IOException {
    this.context = context;
    this.output = context.getResponse().getOutputStream();
    this.runs = runs;
    this.whenClosed = whenClosed;
  }

  void start() {
    output.setWriteListener(this);
  }

  Set<String> runs() {
    return runs;
  }

  /** Queues a message and sends what can be sent without blocking. */
  void offer(byte[] message) {
    boolean tooSlow;
    synchronized (this) {
      if (closed) {
        return;
      }
      tooSlow = unreadBytes + message.length > MOST_UNREAD_BYTES;
      if (!tooSlow) {
        unread.add(message);
        unreadBytes += message.length;
      }
    }
    if (tooSlow) {
      close();
    } else {
      drain();
    }
  }

  @Override
  public void onWritePossible() {
    synchronized (this) {
      writable = true;
    }
    drain();
  }

  @Override
  public void onError(Throwable gone) {
    close();
  }

  private void drain() {
    try {
      synchronized (this) {
        while (writable && !closed && (unflushed || !unread.isEmpty()) && output.isReady()) {
          if (unread.isEmpty()) {
            unflushed = false;
            output.flush();
          } else {
            byte[] next = unread.remove();
            unreadBytes -= next.length;
            unflushed = true;
            output.write(next);
          }
        }
      }
    } catch (IOException | IllegalStateException gone) {
      close();
    }
  }

  void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      unread.clear();
    }
    whenClosed.accept(this);
    try {
      context.complete();
    } catch (IllegalStateException over) {
      // the server has completed it already
    }
  }
}
