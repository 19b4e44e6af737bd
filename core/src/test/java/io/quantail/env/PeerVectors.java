package io.quantail.env;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;

/** Numbers made by other libraries, from {@code vectors/peers.json}. */
public final class PeerVectors {
  private PeerVectors() {}

  /** All vectors whose name starts so; at least one. */
  public static List<JsonNode> startingWith(String prefix) {
    try (InputStream stream = PeerVectors.class.getResourceAsStream("/vectors/peers.json")) {
      JsonNode vectors = new ObjectMapper().readTree(stream).get("vectors");
      List<JsonNode> found =
          StreamSupport.stream(vectors.spliterator(), false)
              .filter(vector -> vector.get("name").asText().startsWith(prefix))
              .toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("no vector starts with " + prefix);
      }
      return found;
    } catch (IOException exception) {
      throw new UncheckedIOException(exception);
    }
  }

  public static double[] doubles(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
  }
}
