package io.quantail.state;

import io.quantail.state.SafetensorsHeader.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Writes and reads a {@link StateMap} as a safetensors file, which Python, Rust and browsers can
 * open and which contains nothing executable.
 *
 * <p>Layout: header length N (8 bytes, little-endian), N bytes of JSON with dtype, shape and data
 * offsets of each name, then the data. The same map always gives the same bytes. The reader checks
 * the header against the size of the file before it allocates memory for the data.
 *
 * <p>See: Hugging Face, "Safetensors", https://github.com/huggingface/safetensors#format. We write
 * F32, F64, I64 and U8 only, no metadata, and allow headers of 16 MiB where the original allows 100
 * MB. {@code SafetensorsTest} pins bytes, round trip and every refusal; {@code SafetensorsFuzzTest}
 * reads random and damaged files.
 */
public final class Safetensors {
  private static final int LENGTH_BYTES = Long.BYTES;
  private static final int MAX_HEADER_BYTES = 16 << 20;
  private static final int CHUNK_BYTES = 1 << 20;

  private Safetensors() {}

  /** Receives the bytes of a file in order. */
  @FunctionalInterface
  public interface ByteSink {
    /** Consumes all remaining bytes. */
    void write(ByteBuffer bytes) throws IOException;
  }

  /**
   * Writes the bytes of a file.
   *
   * @throws StateException if the format cannot hold the state
   */
  public static void write(StateMap state, ByteSink sink) throws IOException {
    Map<String, StateArray> arrays = state.entries();
    if (arrays.containsKey(SafetensorsHeader.METADATA)) {
      throw new StateException(
          "the state name " + SafetensorsHeader.METADATA + " is reserved; use another");
    }
    SafetensorsHeader header = SafetensorsHeader.layOut(arrays);
    byte[] encoded = header.encode();
    if (encoded.length > MAX_HEADER_BYTES) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "%d arrays need a header of %d bytes, at most %d are allowed; use fewer, larger arrays",
              arrays.size(),
              encoded.length,
              MAX_HEADER_BYTES));
    }
    sink.write(
        ByteBuffer.allocate(LENGTH_BYTES + encoded.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(encoded.length)
            .put(encoded)
            .flip());
    for (Tensor tensor : header.inDataOrder()) {
      writeInChunks(Objects.requireNonNull(arrays.get(tensor.name())).littleEndian(), sink);
    }
  }

  private static void writeInChunks(ByteBuffer bytes, ByteSink sink) throws IOException {
    while (bytes.hasRemaining()) {
      int count = Math.min(CHUNK_BYTES, bytes.remaining());
      sink.write(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
    }
  }

  /**
   * Reads every byte of a file that was just opened, so that its SHA-256 covers the whole file.
   *
   * @throws StateException if the content is damaged
   */
  public static StateMap read(HashedFileReader reader) throws IOException {
    SafetensorsHeader header = readHeader(reader);
    Map<String, StateArray> arrays = new HashMap<>();
    for (Tensor tensor : header.inDataOrder()) {
      long size = tensor.end() - tensor.begin();
      if (size > Integer.MAX_VALUE - 8) {
        throw new StateException(
            String.format(
                Locale.ROOT,
                "'%s' has %d bytes, at most %d fit into one array",
                tensor.name(),
                size,
                Integer.MAX_VALUE - 8));
      }
      byte[] bytes = reader.read((int) size);
      arrays.put(tensor.name(), StateArray.ofLittleEndian(tensor.type(), tensor.shape(), bytes));
    }
    StateMap state = new StateMap();
    header
        .tensors()
        .forEach(
            tensor -> state.put(tensor.name(), Objects.requireNonNull(arrays.get(tensor.name()))));
    return state;
  }

  private static SafetensorsHeader readHeader(HashedFileReader reader) throws IOException {
    if (reader.size() < LENGTH_BYTES) {
      throw new StateException(
          String.format(
              Locale.ROOT, "has %d bytes, a safetensors file has at least 10", reader.size()));
    }
    long length =
        ByteBuffer.wrap(reader.read(LENGTH_BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    long remaining = reader.size() - LENGTH_BYTES;
    long limit = Math.min(MAX_HEADER_BYTES, remaining);
    if (length < 0 || length > limit) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "header length must be in [0, %d], was %s; the file is truncated or damaged",
              limit,
              Long.toUnsignedString(length)));
    }
    byte[] header = reader.read((int) length);
    try {
      return SafetensorsHeader.parse(header, remaining - length);
    } catch (StateException malformed) {
      throw new StateException(
          "malformed safetensors header: " + malformed.getMessage(), malformed);
    }
  }
}
