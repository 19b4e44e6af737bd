package io.quantail.run.io;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.Serial;

/**
 * JSON as all files and outputs use it: one mapper, a strict one for snapshots, and results in
 * which numbers that are not finite are null.
 */
public final class Json {
  /**
   * Reads and writes values that are read back: numbers with all digits, NaN and infinities as the
   * texts {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"}. Shared: never configure it.
   */
  public static final ObjectMapper MAPPER = new JsonMapper();

  /** {@link #MAPPER} with indentation, for files that users read. */
  public static final ObjectWriter INDENTED = MAPPER.writer(SerializationFeature.INDENT_OUTPUT);

  /** Refuses unknown, missing, repeated and converted fields. Shared: never configure it. */
  public static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final ObjectMapper RESULTS =
      MAPPER
          .copy()
          .registerModule(
              new SimpleModule()
                  .addSerializer(double.class, new FiniteOrNull())
                  .addSerializer(Double.class, new FiniteOrNull()));

  private Json() {}

  /** Returns a result on one line; numbers that are not finite are null. */
  public static String line(Object result) throws JsonProcessingException {
    return RESULTS.writeValueAsString(result);
  }

  /** Returns a result as a tree that can be added to; numbers that are not finite are null. */
  public static ObjectNode tree(Object result) {
    return RESULTS.valueToTree(result);
  }

  /** Returns a result indented; numbers that are not finite are null. */
  public static String text(Object result) throws JsonProcessingException {
    return RESULTS.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result);
  }

  /** Writes null for NaN and infinities, which JSON cannot express. */
  private static final class FiniteOrNull extends StdSerializer<Double> {
    @Serial private static final long serialVersionUID = 1L;

    FiniteOrNull() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        json.writeNumber(value);
      } else {
        json.writeNull();
      }
    }
  }
}
