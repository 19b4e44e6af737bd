package io.quantail.gymnasium;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Sends requests to a Python process and receives its answers; {@code protocol.py} describes the
 * messages.
 *
 * <p>Every call has a deadline. An interrupt of the calling thread neither ends a call nor closes
 * the connection: a training finishes its update first.
 */
final class MessageChannel implements AutoCloseable {
  /** The version of the protocol; the helper says the same in its first message. */
  static final int VERSION = 1;

  static final int MAKE = 1;
  static final int RESET = 2;
  static final int STEP = 3;
  static final int CLOSE = 4;
  static final int HELLO = 16;
  static final int SPACES = 17;
  static final int ROW = 18;
  static final int ROWS = 19;
  static final int FAILURE = 20;

  private static final int HEADER = 8;
  private static final int LARGEST = 1 << 30;

  private final SocketChannel socket;
  private final Selector selector;
  private ByteBuffer request = buffer(1 << 12);
  private ByteBuffer answer = buffer(1 << 14);
  private int answerKind;

  MessageChannel(SocketChannel socket) throws IOException {
    this.socket = socket;
    socket.configureBlocking(false);
    this.selector = Selector.open();
    socket.register(selector, SelectionKey.OP_READ);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Begins a request; its content of the given length is to be put into the result. */
  ByteBuffer begin(int kind, int length) {
    if (request.capacity() < HEADER + length) {
      request = buffer(HEADER + length);
    }
    request.clear().limit(HEADER + length);
    return request.putInt(length).putInt(kind);
  }

  /** Sends the request that was begun. */
  void send(Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    request.rewind();
    while (request.hasRemaining()) {
      if (socket.write(request) == 0) {
        await(SelectionKey.OP_WRITE, end);
      }
    }
  }

  /** Receives a message and returns its content, valid until the next call. */
  ByteBuffer receive(Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    answer.clear();
    fill(HEADER, end);
    int length = answer.getInt(0);
    answerKind = answer.getInt(4);
    if (length < 0 || length > LARGEST) {
      throw new ProtocolException("it announced a message of " + length + " bytes");
    }
    int size = HEADER + length;
    if (answer.capacity() < size) {
      ByteBuffer larger = buffer(size);
      answer.flip();
      larger.put(answer);
      answer = larger;
    }
    fill(size, end);
    if (answer.position() != size) {
      throw new ProtocolException("it sent more than one message as an answer");
    }
    return answer.flip().position(HEADER);
  }

  /** The kind of the last message that was received. */
  int kind() {
    return answerKind;
  }

  private void fill(int size, long end) throws IOException {
    while (answer.position() < size) {
      int received = socket.read(answer);
      if (received < 0) {
        throw new EOFException();
      }
      if (received == 0) {
        await(SelectionKey.OP_READ, end);
      }
    }
  }

  private void await(int operation, long end) throws IOException {
    SelectionKey key = socket.keyFor(selector);
    if (key == null || !key.isValid()) {
      throw new EOFException();
    }
    key.interestOps(operation);
    boolean interrupted = false;
    boolean ready = false;
    while (!ready) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()) + 1;
      if (left <= 0) {
        break;
      }
      ready = selector.select(left) > 0;
      interrupted |= Thread.interrupted();
    }
    selector.selectedKeys().clear();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!ready) {
      throw new SocketTimeoutException();
    }
  }

  @Override
  public void close() {
    try (socket;
        selector) {
      // closed by leaving the block
    } catch (IOException ignored) {
      // Nothing can be sent or received any more, which is all that is wanted.
    }
  }

  /** The other side speaks something else. */
  static final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
      super(message);
    }
  }
}
