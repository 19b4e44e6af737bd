package io.quantail.app;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/** How results are written as JSON: a number that is not defined or not finite is null. */
final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(double.class, new FiniteOrNull())
                  .addSerializer(Double.class, new FiniteOrNull()));

  private Json() {}

  /** On one line. */
  static String line(Object value) throws JsonProcessingException {
    return MAPPER.writeValueAsString(value);
  }

  /** To be added to. */
  static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** For files that people read too. */
  static String text(Object value) throws JsonProcessingException {
    return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
  }

  /** JSON has no word for NaN and infinity. */
  private static final class FiniteOrNull extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;

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
