package io.quantail.run.metrics;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Encodes TensorBoard events: protocol buffers {@code Event} in {@code TFRecord} frames.
 *
 * <p>Frame: length (8 bytes), masked CRC of the length (4), event, masked CRC of the event (4), all
 * little-endian; {@code mask(crc) = rotateRight(crc, 15) + 0xa282ead8}. Event fields: 1 wall time
 * (double), 2 step (varint), 3 file version (text), 5 summary; summary field 1: value; value
 * fields: 1 tag (text), 2 simple value (float).
 *
 * <p>See: TensorFlow, {@code event.proto}, {@code summary.proto} and "TFRecord and
 * tf.train.Example". {@code TensorBoardWriterTest} decodes what this encodes.
 */
final class TensorBoardEvents {
  private static final String FILE_VERSION = "brain.Event:2";
  private static final int CRC_MASK = 0xa282ead8;

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private TensorBoardEvents() {}

  /** The event at the start of every file. */
  static byte[] header(double wallTime) {
    Message event = new Message().fixed64(1, wallTime);
    return frame(event.bytes(3, FILE_VERSION.getBytes(StandardCharsets.UTF_8)).toBytes());
  }

  /** One event with all values; those beyond the range of a float are omitted. */
  static byte[] scalars(double wallTime, long step, Map<String, Double> values) {
    Message summary = new Message();
    values.forEach(
        (name, value) -> {
          if (Float.isFinite(value.floatValue())) {
            summary.bytes(1, scalar(name, value.floatValue()));
          }
        });
    Message event = new Message().fixed64(1, wallTime).varint(2, step);
    return frame(event.bytes(5, summary.toBytes()).toBytes());
  }

  private static byte[] scalar(String name, float value) {
    return new Message()
        .bytes(1, name.getBytes(StandardCharsets.UTF_8))
        .fixed32(2, value)
        .toBytes();
  }

  private static byte[] frame(byte[] event) {
    ByteBuffer frame = ByteBuffer.allocate(event.length + 16).order(ByteOrder.LITTLE_ENDIAN);
    frame.putLong(event.length);
    frame.putInt(maskedCrc(frame.array(), Long.BYTES));
    frame.put(event);
    return frame.putInt(maskedCrc(event, event.length)).array();
  }

  private static int maskedCrc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + CRC_MASK;
  }

  /** A protocol-buffer message under construction. */
  private static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message varint(int field, long value) {
      tag(field, VARINT);
      writeVarint(value);
      return this;
    }

    Message fixed64(int field, double value) {
      tag(field, FIXED_64);
      littleEndian(Double.doubleToRawLongBits(value), Long.BYTES);
      return this;
    }

    Message fixed32(int field, float value) {
      tag(field, FIXED_32);
      littleEndian(Float.floatToRawIntBits(value), Integer.BYTES);
      return this;
    }

    Message bytes(int field, byte[] value) {
      tag(field, BYTES);
      writeVarint(value.length);
      out.writeBytes(value);
      return this;
    }

    byte[] toBytes() {
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
}
