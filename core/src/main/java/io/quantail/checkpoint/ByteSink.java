package io.quantail.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the bytes of a file go, in order. */
@FunctionalInterface
interface ByteSink {
  /** Takes all remaining bytes. */
  void write(ByteBuffer bytes) throws IOException;
}
