package io.quantail.run.io;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/** Writes results as JSON; a number that is undefined or not finite becomes null. */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(double.class, new FiniteOrNull())
                  .addSerializer(Double.class, new FiniteOrNull()));

  private Json() {}

  /** The value on one line. */
  public static String line(Object value) throws JsonProcessingException {
    return MAPPER.writeValueAsString(value);
  }

  /** The value as a tree that fields can be added to. */
  public static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** The value with line breaks, for files that users read too. */
  public static String text(Object value) throws JsonProcessingException {
    return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
  }

  /** JSON has no NaN and no infinity. */
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
