package io.quantail.metrics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads event files by the published format, sharing nothing with the writer, not even its CRC. */
public final class EventReader {
  private EventReader() {}

  public record Event(double wallTime, long step, String fileVersion, Map<String, Float> scalars) {}

  public static List<Event> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Event> events = new ArrayList<>();
    while (bytes.hasRemaining()) {
      byte[] length = take(bytes, 8);
      verify(length, bytes.getInt());
      int size = (int) ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
      byte[] event = take(bytes, size);
      verify(event, bytes.getInt());
      events.add(event(ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN)));
    }
    return events;
  }

  private static Event event(ByteBuffer bytes) {
    double wallTime = Double.NaN;
    long step = 0;
    String version = null;
    Map<String, Float> scalars = new LinkedHashMap<>();
    while (bytes.hasRemaining()) {
      int tag = (int) varint(bytes);
      switch (tag) {
        case 0x09 -> wallTime = bytes.getDouble();
        case 0x10 -> step = varint(bytes);
        case 0x1A -> version = text(bytes);
        case 0x2A -> summary(nested(bytes), scalars);
        default -> throw new AssertionError("unexpected tag " + tag);
      }
    }
    return new Event(wallTime, step, version, scalars);
  }

  private static void summary(ByteBuffer bytes, Map<String, Float> scalars) {
    while (bytes.hasRemaining()) {
      expect(bytes, 0x0A);
      ByteBuffer value = nested(bytes);
      expect(value, 0x0A);
      String name = text(value);
      expect(value, 0x15);
      scalars.put(name, value.getFloat());
      if (value.hasRemaining()) {
        throw new AssertionError("more than a tag and a simple value under " + name);
      }
    }
  }

  private static void expect(ByteBuffer bytes, int tag) {
    int actual = bytes.get() & 0xFF;
    if (actual != tag) {
      throw new AssertionError("tag %x instead of %x".formatted(actual, tag));
    }
  }

  private static ByteBuffer nested(ByteBuffer bytes) {
    return ByteBuffer.wrap(take(bytes, (int) varint(bytes))).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String text(ByteBuffer bytes) {
    return new String(take(bytes, (int) varint(bytes)), StandardCharsets.UTF_8);
  }

  private static byte[] take(ByteBuffer bytes, int size) {
    byte[] taken = new byte[size];
    bytes.get(taken);
    return taken;
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static void verify(byte[] bytes, int maskedCrc) {
    int rotated = maskedCrc - 0xa282ead8;
    int crc = rotated >>> 17 | rotated << 15;
    if (crc != castagnoli(bytes)) {
      throw new AssertionError("checksum does not fit");
    }
  }

  /** CRC-32C bit by bit: reflected polynomial 0x82F63B78. */
  public static int castagnoli(byte[] bytes) {
    int crc = -1;
    for (byte next : bytes) {
      crc ^= next & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc >>> 1 ^ ((crc & 1) != 0 ? 0x82F63B78 : 0);
      }
    }
    return ~crc;
  }
}
