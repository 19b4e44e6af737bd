package io.quantail.market.data;

import io.quantail.io.AtomicFiles;
import io.quantail.io.CsvCell;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes bars as CSV: ISO-8601 times of closes, numbers at full precision, empty cells for
 * undefined values. Reading the file gives the same bars, and the same fingerprint if the bar
 * length is the median step.
 */
public final class BarsCsvWriter {
  private BarsCsvWriter() {}

  /**
   * Writes a file atomically; it is compressed if its name ends with {@code .gz}.
   *
   * @param bars bars of one symbol
   * @param file path of the file, which is replaced if it exists
   * @throws java.io.UncheckedIOException if the file cannot be written
   */
  public static void write(Bars bars, Path file) {
    AtomicFiles.write(
        file,
        plain -> {
          OutputStream out = file.toString().endsWith(".gz") ? new GZIPOutputStream(plain) : plain;
          try (BufferedWriter writer =
              new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
            write(bars, writer);
          }
        });
  }

  private static void write(Bars bars, BufferedWriter writer) throws IOException {
    List<Bars.Optional> optional = Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
    StringBuilder line = new StringBuilder("ts,symbol,open,high,low,close,volume");
    optional.forEach(column -> line.append(',').append(column.name().toLowerCase(Locale.ROOT)));
    bars.extraNames().forEach(name -> line.append(',').append(name));
    writer.append(line).append('\n');
    String symbol = CsvCell.quote(bars.symbol());
    for (int t = 0; t < bars.size(); t++) {
      line.setLength(0);
      line.append(Instant.ofEpochMilli(bars.time(t))).append(',').append(symbol);
      append(line, bars.open(t));
      append(line, bars.high(t));
      append(line, bars.low(t));
      append(line, bars.close(t));
      append(line, bars.volume(t));
      for (Bars.Optional column : optional) {
        append(line, bars.value(column, t));
      }
      for (String name : bars.extraNames()) {
        append(line, bars.extra(name, t));
      }
      writer.append(line).append('\n');
    }
  }

  private static void append(StringBuilder line, double value) {
    line.append(',');
    if (!Double.isNaN(value)) {
      line.append(value);
    }
  }
}
