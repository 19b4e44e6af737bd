package io.quantail.checkpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.state.StateArray;
import io.quantail.state.StateException;
import io.quantail.state.StateType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The JSON table of contents of a safetensors file: which array lies where in the data. */
record SafetensorsHeader(List<Tensor> tensors) {
  static final String METADATA = "__metadata__";
  private static final int ALIGNMENT = 8;
  private static final Set<String> FIELDS = Set.of("dtype", "shape", "data_offsets");

  /** One array: its bytes are [begin, end) of the data that follows the header. */
  record Tensor(String name, StateType type, long[] shape, long begin, long end) {}

  /**
   * Lays arrays out for writing. The header keeps their order; the data goes by falling element
   * size, so that every array starts at a multiple of its element size and can be mapped.
   */
  static SafetensorsHeader layOut(Map<String, StateArray> arrays) {
    List<String> byElementSize = new ArrayList<>(arrays.keySet());
    byElementSize.sort(
        Comparator.comparing((String name) -> -arrays.get(name).type().elementBytes()));
    Map<String, Tensor> placed = new HashMap<>();
    long position = 0;
    for (String name : byElementSize) {
      StateArray array = arrays.get(name);
      long end = position + array.littleEndian().remaining();
      placed.put(name, new Tensor(name, array.type(), array.shape(), position, end));
      position = end;
    }
    return new SafetensorsHeader(arrays.keySet().stream().map(placed::get).toList());
  }

  List<Tensor> inDataOrder() {
    return tensors.stream()
        .sorted(Comparator.comparingLong(Tensor::begin).thenComparingLong(Tensor::end))
        .toList();
  }

  /** The header's bytes, padded with spaces so that the data starts at a multiple of eight. */
  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = StrictJson.MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      for (Tensor tensor : tensors) {
        json.writeObjectFieldStart(tensor.name());
        json.writeStringField("dtype", dtype(tensor.type()));
        json.writeFieldName("shape");
        json.writeArray(tensor.shape(), 0, tensor.shape().length);
        json.writeFieldName("data_offsets");
        json.writeArray(new long[] {tensor.begin(), tensor.end()}, 0, 2);
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    while (bytes.size() % ALIGNMENT != 0) {
      bytes.write(' ');
    }
    return bytes.toByteArray();
  }

  /** Reads a header and checks that its arrays cover the data exactly. */
  static SafetensorsHeader parse(Path file, byte[] header, long dataSize) {
    try {
      JsonNode root = StrictJson.MAPPER.readTree(header);
      require(header.length > 0 && header[0] == '{' && root.isObject(), "header is no JSON object");
      List<Tensor> tensors = new ArrayList<>();
      root.properties()
          .forEach(
              entry -> {
                if (entry.getKey().equals(METADATA)) {
                  checkMetadata(entry.getValue());
                } else {
                  tensors.add(tensor(entry.getKey(), entry.getValue()));
                }
              });
      SafetensorsHeader parsed = new SafetensorsHeader(List.copyOf(tensors));
      parsed.requireCover(dataSize);
      return parsed;
    } catch (IOException | StateException | IllegalArgumentException malformed) {
      throw new SnapshotException(file, "malformed safetensors header", malformed);
    }
  }

  private static void checkMetadata(JsonNode metadata) {
    boolean textual = metadata.isObject();
    for (JsonNode value : metadata) {
      textual &= value.isTextual();
    }
    require(textual, METADATA + " must map names to text, was " + metadata.getNodeType());
  }

  private static Tensor tensor(String name, JsonNode node) {
    Set<String> fields = Set.copyOf(node.properties().stream().map(Map.Entry::getKey).toList());
    require(fields.equals(FIELDS), "'" + name + "' must have " + FIELDS + ", has " + fields);
    StateType type = type(name, node.get("dtype").asText());
    long[] shape = longs(name, node.get("shape"));
    long[] offsets = longs(name, node.get("data_offsets"));
    require(offsets.length == 2, "'" + name + "' must have 2 data_offsets, has " + offsets.length);
    long expected = StateArray.byteCount(type, shape);
    require(
        offsets[0] <= offsets[1] && offsets[1] - offsets[0] == expected,
        "'%s' of shape %s takes %d bytes, its data_offsets are %s"
            .formatted(name, Arrays.toString(shape), expected, Arrays.toString(offsets)));
    return new Tensor(name, type, shape, offsets[0], offsets[1]);
  }

  private static long[] longs(String name, JsonNode node) {
    require(node.isArray(), "'" + name + "': expected an array of numbers, found " + node);
    long[] values = new long[node.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = node.get(i);
      require(
          value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0,
          "'" + name + "': expected an integer in [0, 2^63), found " + value);
      values[i] = value.longValue();
    }
    return values;
  }

  private void requireCover(long dataSize) {
    long position = 0;
    for (Tensor tensor : inDataOrder()) {
      require(
          tensor.begin() == position,
          "'%s' starts at %d, the array before it ends at %d"
              .formatted(tensor.name(), tensor.begin(), position));
      position = tensor.end();
    }
    require(
        position == dataSize,
        "the arrays take %d bytes, the file has %d bytes of data".formatted(position, dataSize));
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException(reason);
    }
  }

  private static String dtype(StateType type) {
    return switch (type) {
      case FLOAT32 -> "F32";
      case FLOAT64 -> "F64";
      case INT64 -> "I64";
      case UINT8 -> "U8";
    };
  }

  private static StateType type(String name, String dtype) {
    return switch (dtype) {
      case "F32" -> StateType.FLOAT32;
      case "F64" -> StateType.FLOAT64;
      case "I64" -> StateType.INT64;
      case "U8" -> StateType.UINT8;
      default ->
          throw new IllegalArgumentException(
              "'%s' has dtype %s; F32, F64, I64 and U8 are supported".formatted(name, dtype));
    };
  }
}
