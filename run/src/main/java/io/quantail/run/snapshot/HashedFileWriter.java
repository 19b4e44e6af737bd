package io.quantail.run.snapshot;

import io.quantail.io.Sha256;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.state.Safetensors;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes files durably, with their size and hash. */
final class HashedFileWriter {
  private final DurableFiles files;

  HashedFileWriter(DurableFiles files) {
    this.files = files;
  }

  @FunctionalInterface
  interface Content {
    void writeTo(Safetensors.ByteSink sink) throws IOException;
  }

  FileDigest writeState(Path file, StateMap state) throws IOException {
    try {
      return write(file, sink -> Safetensors.write(state, sink));
    } catch (StateException unusable) {
      throw new SnapshotException(file, unusable);
    }
  }

  FileDigest write(Path file, byte[] content) throws IOException {
    return write(file, sink -> sink.write(ByteBuffer.wrap(content)));
  }

  /** Hashes the bytes before they are written, so that damage on the way to disk is detected. */
  FileDigest write(Path file, Content content) throws IOException {
    Sha256 digest = new Sha256();
    try (FileChannel channel = files.create(file)) {
      content.writeTo(
          bytes -> {
            digest.update(bytes.duplicate());
            files.write(channel, bytes);
          });
      files.force(channel);
      return new FileDigest(channel.size(), digest.hex());
    }
  }
}
