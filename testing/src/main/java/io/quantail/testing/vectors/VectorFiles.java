package io.quantail.testing.vectors;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads files of the form {@code {"vectors": [{"name", "inputs", "expected", ...}]}}. */
final class VectorFiles {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private VectorFiles() {}

  /** The JSON files of a folder, by name; a folder without any is an error. */
  static List<Path> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          folder + " is not a folder; it should hold the vectors to check");
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("the folder " + folder + " holds no *.json file");
      }
      return found;
    }
  }

  /** The vectors of one file; anything of another form is an error that names it. */
  static List<JsonNode> read(Path file) throws IOException {
    JsonNode vectors = MAPPER.readTree(file.toFile()).path("vectors");
    if (!vectors.isArray() || vectors.isEmpty()) {
      throw new IllegalArgumentException(file + " has no list 'vectors' with at least one vector");
    }
    List<JsonNode> result = new ArrayList<>();
    for (JsonNode vector : vectors) {
      boolean wellFormed =
          vector.path("name").isTextual()
              && vector.path("inputs").isObject()
              && vector.path("expected").isObject();
      if (!wellFormed) {
        throw new IllegalArgumentException(
            file
                + ": vector "
                + result.size()
                + " ("
                + vector.path("name").asText("without name")
                + ") must have a name and objects 'inputs' and 'expected'");
      }
      result.add(vector);
    }
    return result;
  }
}
