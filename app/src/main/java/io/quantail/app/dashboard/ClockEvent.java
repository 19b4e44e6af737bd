package io.quantail.app.dashboard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one TensorBoard event says about time; everything else in it is skipped.
 *
 * <p>Protocol buffers: event fields 1 wall time (double), 2 step (varint), 5 summary; summary field
 * 1 value; value fields 1 tag (text), 2 simple value (float).
 *
 * <p>See: TensorFlow, {@code event.proto} and {@code summary.proto}.
 *
 * @param wallSeconds since 1970
 * @param steps environment steps so far
 * @param times finite metrics under {@code time/}
 */
record ClockEvent(double wallSeconds, long steps, Map<String, Double> times) {
  private static final byte[] TIME = "time/".getBytes(StandardCharsets.US_ASCII);
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  /** Which update it belongs to. */
  long iteration() {
    return times.getOrDefault("time/iterations", -1.0).longValue();
  }

  /** Fails with an unchecked exception of buffers when the bytes are not an event. */
  static ClockEvent read(ByteBuffer event) {
    event.order(ByteOrder.LITTLE_ENDIAN);
    double wall = Double.NaN;
    long steps = -1;
    Map<String, Double> times = new TreeMap<>();
    while (event.hasRemaining()) {
      int tag = (int) varint(event);
      if (tag == (1 << 3 | FIXED_64)) {
        wall = event.getDouble();
      } else if (tag == (2 << 3 | VARINT)) {
        steps = varint(event);
      } else if (tag == (5 << 3 | BYTES)) {
        summary(bytes(event), times);
      } else {
        skip(event, tag & 7);
      }
    }
    return new ClockEvent(wall, steps, times);
  }

  private static void summary(ByteBuffer summary, Map<String, Double> times) {
    while (summary.hasRemaining()) {
      int tag = (int) varint(summary);
      if (tag == (1 << 3 | BYTES)) {
        int length = checked(Math.toIntExact(varint(summary) & Integer.MAX_VALUE), summary);
        int start = summary.position();
        if (!isOther(summary, start, length)) {
          value(summary.slice(start, length).order(ByteOrder.LITTLE_ENDIAN), times);
        }
        summary.position(start + length);
      } else {
        skip(summary, tag & 7);
      }
    }
  }

  /** Whether a value begins with a short name that is not under {@code time/}: nearly all do. */
  private static boolean isOther(ByteBuffer summary, int start, int length) {
    if (length < 2 + TIME.length || summary.get(start) != (1 << 3 | BYTES)) {
      return false;
    }
    for (int i = 0; i < TIME.length; i++) {
      if (summary.get(start + 2 + i) != TIME[i]) {
        return summary.get(start + 1) >= TIME.length; // the name is at least that long
      }
    }
    return false;
  }

  private static void value(ByteBuffer value, Map<String, Double> times) {
    String name = null;
    while (value.hasRemaining()) {
      int tag = (int) varint(value);
      if (tag == (1 << 3 | BYTES)) {
        ByteBuffer text = bytes(value);
        if (!isTime(text)) {
          return;
        }
        name = StandardCharsets.UTF_8.decode(text).toString();
      } else if (tag == (2 << 3 | FIXED_32) && name != null) {
        float number = value.getFloat();
        if (Float.isFinite(number)) {
          times.put(name, (double) number);
        }
      } else {
        skip(value, tag & 7);
      }
    }
  }

  private static boolean isTime(ByteBuffer text) {
    return text.remaining() > TIME.length
        && text.slice(text.position(), TIME.length).equals(ByteBuffer.wrap(TIME));
  }

  private static ByteBuffer bytes(ByteBuffer source) {
    int length = Math.toIntExact(varint(source) & Integer.MAX_VALUE);
    ByteBuffer part = source.slice(source.position(), checked(length, source));
    source.position(source.position() + length);
    return part.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int checked(int length, ByteBuffer source) {
    if (length > source.remaining()) {
      throw new IllegalArgumentException("a field is longer than what holds it");
    }
    return length;
  }

  private static void skip(ByteBuffer source, int wireType) {
    switch (wireType) {
      case VARINT -> varint(source);
      case FIXED_64 -> source.getLong();
      case BYTES -> bytes(source);
      case FIXED_32 -> source.getInt();
      default -> throw new IllegalArgumentException("unknown wire type " + wireType);
    }
  }

  private static long varint(ByteBuffer source) {
    long number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = source.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("a number has more than ten bytes");
  }
}
