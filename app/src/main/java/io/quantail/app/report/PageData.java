package io.quantail.app.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.Serial;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes chart data as JSON that is safe inside a {@code <script>} element: no character can end
 * the element. Numbers have seven digits, which is more than a chart shows. Positions that several
 * series share are written once.
 */
final class PageData {
  private static final MathContext DIGITS = new MathContext(7);
  private static final ObjectWriter WRITER =
      Json.MAPPER
          .copy()
          .registerModule(new SimpleModule().addSerializer(double[].class, new ShortNumbers()))
          .writer(new ScriptEscapes());

  private PageData() {}

  /**
   * What {@code report.js} reads.
   *
   * @param charts whose positions are indices of {@code positions}
   * @param positions filled while {@code charts} is written
   */
  @JsonPropertyOrder({"charts", "positions"})
  private record Content(List<Chart> charts, Collection<Positions> positions) {}

  /** An array that is a key by its values. */
  private record Positions(@JsonValue double[] values) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Positions positions && Arrays.equals(values, positions.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }

  static String json(List<Chart> charts) {
    Map<Positions, Integer> known = new LinkedHashMap<>();
    try {
      return WRITER
          .withAttribute(Positions.class, known)
          .writeValueAsString(new Content(charts, known.keySet()));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("records of numbers and texts can be written", impossible);
    }
  }

  /** Writes the index of positions that are written once for all series. */
  static final class SharedPositions extends StdSerializer<double[]> {
    @Serial private static final long serialVersionUID = 1L;

    SharedPositions() {
      super(double[].class);
    }

    @Override
    @SuppressWarnings("unchecked") // the only attribute with this key
    public void serialize(double[] values, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      Map<Positions, Integer> known =
          (Map<Positions, Integer>) provider.getAttribute(Positions.class);
      json.writeNumber(known.computeIfAbsent(new Positions(values), fresh -> known.size()));
    }
  }

  private static final class ShortNumbers extends StdSerializer<double[]> {
    @Serial private static final long serialVersionUID = 1L;

    ShortNumbers() {
      super(double[].class);
    }

    @Override
    public void serialize(double[] values, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartArray();
      for (double value : values) {
        write(value, json);
      }
      json.writeEndArray();
    }

    private static void write(double value, JsonGenerator json) throws IOException {
      if (!Double.isFinite(value)) {
        json.writeNull();
      } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
        json.writeNumber((long) value);
      } else {
        json.writeNumber(new BigDecimal(value).round(DIGITS).doubleValue());
      }
    }
  }

  /** Writes {@code <}, {@code >} and {@code &} as JSON escapes, which HTML does not interpret. */
  private static final class ScriptEscapes extends CharacterEscapes {
    @Serial private static final long serialVersionUID = 1L;

    private final int[] ascii;

    ScriptEscapes() {
      ascii = standardAsciiEscapesForJSON();
      for (char character : new char[] {'<', '>', '&', '\''}) {
        ascii[character] = CharacterEscapes.ESCAPE_STANDARD;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null; // all other characters are written as they are
    }
  }
}
