package io.quantail.run.metrics;

import io.quantail.run.io.ProtobufMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  private TensorBoardEvents() {}

  /** The event at the start of every file. */
  static byte[] header(double wallTime) {
    ProtobufMessage event = new ProtobufMessage().fixed64(1, wallTime);
    return frame(event.text(3, FILE_VERSION).toBytes());
  }

  /** One event with all values; those beyond the range of a float are omitted. */
  static byte[] scalars(double wallTime, long step, Map<String, Double> values) {
    ProtobufMessage summary = new ProtobufMessage();
    values.forEach(
        (name, value) -> {
          if (Float.isFinite(value.floatValue())) {
            summary.message(1, scalar(name, value.floatValue()));
          }
        });
    ProtobufMessage event = new ProtobufMessage().fixed64(1, wallTime).varint(2, step);
    return frame(event.message(5, summary).toBytes());
  }

  private static ProtobufMessage scalar(String name, float value) {
    return new ProtobufMessage().text(1, name).fixed32(2, value);
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
}
