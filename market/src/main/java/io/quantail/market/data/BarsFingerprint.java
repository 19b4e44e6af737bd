package io.quantail.market.data;

import io.quantail.io.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Computes the SHA-256 of bars in a canonical form: symbol, bar length, names of the columns, then
 * each row as big-endian time and IEEE 754 numbers.
 */
final class BarsFingerprint {
  private static final int BUFFER = 1 << 16;

  private BarsFingerprint() {}

  static String of(Bars bars) {
    Sha256 digest = new Sha256();
    List<Bars.Optional> optional = Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
    String head =
        String.format(
            Locale.ROOT,
            "%s\n%d\n%s\n%s\n",
            bars.symbol(),
            bars.barMillis(),
            optional,
            bars.extraNames());
    digest.update(head.getBytes(StandardCharsets.UTF_8));
    int rowBytes = Double.BYTES * (6 + optional.size() + bars.extraNames().size());
    ByteBuffer buffer = ByteBuffer.allocate(Math.max(BUFFER, rowBytes));
    for (int t = 0; t < bars.size(); t++) {
      if (buffer.remaining() < rowBytes) {
        drain(buffer, digest);
      }
      buffer.putLong(bars.time(t));
      buffer.putDouble(bars.open(t)).putDouble(bars.high(t));
      buffer.putDouble(bars.low(t)).putDouble(bars.close(t)).putDouble(bars.volume(t));
      for (Bars.Optional column : optional) {
        buffer.putDouble(bars.value(column, t));
      }
      for (String name : bars.extraNames()) {
        buffer.putDouble(bars.extra(name, t));
      }
    }
    drain(buffer, digest);
    return digest.hex();
  }

  private static void drain(ByteBuffer buffer, Sha256 digest) {
    buffer.flip();
    digest.update(buffer);
    buffer.clear();
  }
}
