package io.quantail.checkpoint;

import io.quantail.checkpoint.SafetensorsHeader.Tensor;
import io.quantail.state.StateArray;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes and reads a {@link StateMap} as a safetensors file, which Python, Rust and browsers can
 * open and which holds nothing executable.
 *
 * <p>Layout: header length N (8 bytes, little-endian), N bytes of JSON that say for each name its
 * dtype, shape and place, then the data. The same map always gives the same bytes. The reader
 * refuses anything that does not add up before it allocates memory for it.
 *
 * <p>See: Hugging Face, "Safetensors", https://github.com/huggingface/safetensors#format. We write
 * F32, F64, I64 and U8 only, no metadata, and allow headers of 16 MiB where the original allows 100
 * MB. {@code SafetensorsTest} pins bytes, round trip and every refusal.
 */
public final class Safetensors {
  private static final int LENGTH_BYTES = Long.BYTES;
  private static final int MAX_HEADER_BYTES = 16 << 20;
  private static final int CHUNK_BYTES = 1 << 20;

  private Safetensors() {}

  /** Writes a file; an existing one is replaced, not atomically (see {@link SnapshotStore}). */
  public static void write(Path file, StateMap state) {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      write(
          file,
          state,
          bytes -> {
            while (bytes.hasRemaining()) {
              channel.write(bytes);
            }
          });
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be written", failure);
    }
  }

  /** Reads a whole file or throws a {@link SnapshotException}. */
  public static StateMap read(Path file) {
    try (FileSource source = new FileSource(file)) {
      return read(file, source);
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  static void write(Path file, StateMap state, ByteSink sink) throws IOException {
    Map<String, StateArray> arrays = state.entries();
    if (arrays.containsKey(SafetensorsHeader.METADATA)) {
      throw new SnapshotException(
          file, "the state name " + SafetensorsHeader.METADATA + " is reserved; use another");
    }
    SafetensorsHeader header = SafetensorsHeader.layOut(arrays);
    byte[] encoded = header.encode();
    if (encoded.length > MAX_HEADER_BYTES) {
      throw new SnapshotException(
          file,
          "%d arrays need a header of %d bytes, at most %d are allowed; use fewer, larger arrays"
              .formatted(arrays.size(), encoded.length, MAX_HEADER_BYTES));
    }
    sink.write(
        ByteBuffer.allocate(LENGTH_BYTES + encoded.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(encoded.length)
            .put(encoded)
            .flip());
    for (Tensor tensor : header.inDataOrder()) {
      writeInChunks(arrays.get(tensor.name()).littleEndian(), sink);
    }
  }

  private static void writeInChunks(ByteBuffer bytes, ByteSink sink) throws IOException {
    while (bytes.hasRemaining()) {
      int count = Math.min(CHUNK_BYTES, bytes.remaining());
      sink.write(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
    }
  }

  /** Consumes every byte of the source, so that its digest covers the whole file. */
  static StateMap read(Path file, FileSource source) throws IOException {
    SafetensorsHeader header = readHeader(file, source);
    Map<String, StateArray> arrays = new HashMap<>();
    for (Tensor tensor : header.inDataOrder()) {
      long size = tensor.end() - tensor.begin();
      if (size > Integer.MAX_VALUE - 8) {
        throw new SnapshotException(
            file, "'%s' has %d bytes, more than one array holds".formatted(tensor.name(), size));
      }
      byte[] bytes = source.read((int) size);
      arrays.put(tensor.name(), StateArray.ofLittleEndian(tensor.type(), tensor.shape(), bytes));
    }
    return inHeaderOrder(file, header, arrays);
  }

  private static SafetensorsHeader readHeader(Path file, FileSource source) throws IOException {
    if (source.size() < LENGTH_BYTES) {
      throw new SnapshotException(
          file, "has %d bytes, a safetensors file at least 10".formatted(source.size()));
    }
    long length =
        ByteBuffer.wrap(source.read(LENGTH_BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    long remaining = source.size() - LENGTH_BYTES;
    if (length < 0 || length > Math.min(MAX_HEADER_BYTES, remaining)) {
      throw new SnapshotException(
          file,
          "header length must be in [0, %d], was %s; the file is truncated or damaged"
              .formatted(Math.min(MAX_HEADER_BYTES, remaining), Long.toUnsignedString(length)));
    }
    return SafetensorsHeader.parse(file, source.read((int) length), remaining - length);
  }

  private static StateMap inHeaderOrder(
      Path file, SafetensorsHeader header, Map<String, StateArray> arrays) {
    StateMap state = new StateMap();
    try {
      header.tensors().forEach(tensor -> state.put(tensor.name(), arrays.get(tensor.name())));
    } catch (StateException unusable) {
      throw new SnapshotException(file, "holds a name that cannot be used", unusable);
    }
    return state;
  }
}
