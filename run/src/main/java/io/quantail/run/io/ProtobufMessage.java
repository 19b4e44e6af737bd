package io.quantail.run.io;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A protocol-buffer message under construction: fields in the order in which they are added.
 *
 * <p>See: Protocol Buffers, "Encoding". {@code TensorBoardWriterTest} and {@code OnnxExporterTest}
 * have what it encodes decoded by others.
 */
public final class ProtobufMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Adds an integer or an enum constant. */
  public ProtobufMessage varint(int field, long value) {
    tag(field, VARINT);
    writeVarint(value);
    return this;
  }

  /** Adds a double. */
  public ProtobufMessage fixed64(int field, double value) {
    tag(field, FIXED_64);
    littleEndian(Double.doubleToRawLongBits(value), Long.BYTES);
    return this;
  }

  /** Adds a float. */
  public ProtobufMessage fixed32(int field, float value) {
    tag(field, FIXED_32);
    littleEndian(Float.floatToRawIntBits(value), Integer.BYTES);
    return this;
  }

  /** Adds bytes. */
  public ProtobufMessage bytes(int field, byte[] value) {
    tag(field, BYTES);
    writeVarint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** Adds a text. */
  public ProtobufMessage text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a message. */
  public ProtobufMessage message(int field, ProtobufMessage value) {
    tag(field, BYTES);
    writeVarint(value.out.size());
    out.writeBytes(value.toBytes());
    return this;
  }

  /** The encoded message. */
  public byte[] toBytes() {
    return out.toByteArray();
  }

  private void tag(int field, int wireType) {
    writeVarint(field << 3 | wireType);
  }

  private void writeVarint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private void littleEndian(long bits, int size) {
    for (int i = 0; i < size; i++) {
      out.write((int) (bits >>> (8 * i)));
    }
  }
}
