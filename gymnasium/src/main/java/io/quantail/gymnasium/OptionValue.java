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
    switch (text.toLowerCase(Locale.ROOT)) {
      case "true":
        return true;
      case "false":
        return false;
      case "none", "null":
        return null;
      default:
        break;
    }
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
