package io.quantail.gymnasium;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.io.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the value of a keyword argument: JSON, True, False or None as in Python, else a text. */
final class OptionValue {
  private OptionValue() {}

  static @Nullable Object parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      case "none", "null" -> null;
      default -> jsonOrText(text);
    };
  }

  private static Object jsonOrText(String text) {
    try {
      JsonNode node = Json.STRICT.readTree(text);
      return node == null || node.isMissingNode()
          ? text
          : Json.MAPPER.convertValue(node, Object.class);
    } catch (JsonProcessingException notJson) {
      return text;
    }
  }
}
