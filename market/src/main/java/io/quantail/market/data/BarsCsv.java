package io.quantail.market.data;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes bars in the canonical form: ISO times of closes, all digits of every number, empty where
 * there is none. Reading the file gives the same bars, and the same fingerprint if their length is
 * that of the median step.
 */
public final class BarsCsv {
  private BarsCsv() {}

  /** The file appears when it is whole; a name that ends with {@code .gz} is compressed. */
  public static void write(Bars bars, Path file) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream plain = Files.newOutputStream(part);
          OutputStream out = file.toString().endsWith(".gz") ? new GZIPOutputStream(plain) : plain;
          BufferedWriter writer =
              new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
        write(bars, writer);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      discard(part, failure);
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static void discard(Path part, IOException failure) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException another) {
      failure.addSuppressed(another);
    }
  }

  /** A text as a cell of a CSV file, in quotes where it needs them. */
  public static String cell(String text) {
    return text.matches("[^,\"\\s]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static void write(Bars bars, BufferedWriter writer) throws IOException {
    List<Bars.Optional> optional = Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
    StringBuilder line = new StringBuilder("ts,symbol,open,high,low,close,volume");
    optional.forEach(column -> line.append(',').append(column.name().toLowerCase(Locale.ROOT)));
    bars.extraNames().forEach(name -> line.append(',').append(name));
    writer.append(line).append('\n');
    String symbol = cell(bars.symbol());
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
