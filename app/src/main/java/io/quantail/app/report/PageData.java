package io.quantail.app.report;

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
import org.jspecify.annotations.Nullable;

/**
 * Writes chart data as JSON that is safe inside a {@code <script>} element: no character can end
 * the element. Numbers have seven digits, which is more than a chart shows.
 */
final class PageData {
  private static final MathContext DIGITS = new MathContext(7);
  private static final ObjectWriter WRITER =
      Json.MAPPER
          .copy()
          .registerModule(new SimpleModule().addSerializer(double[].class, new ShortNumbers()))
          .writer(new ScriptEscapes());

  private PageData() {}

  static String json(Object value) {
    try {
      return WRITER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("records of numbers and texts can be written", impossible);
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
