package io.quantail.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The header of a safetensors file: type, shape and data offsets of each array. */
record SafetensorsHeader(List<Tensor> tensors) {
  static final String METADATA = "__metadata__";
  private static final int ALIGNMENT = 8;

  /** One array: its bytes are [begin, end) of the data that follows the header. */
  record Tensor(String name, StateArray.Type type, long[] shape, long begin, long end) {}

  /**
   * Assigns data offsets for writing. The header keeps the order of the arrays; their data is
   * sorted by falling element size, so that every array starts at a multiple of its element size
   * and can be mapped into memory.
   */
  static SafetensorsHeader layOut(Map<String, StateArray> arrays) {
    List<String> byElementSize = new ArrayList<>(arrays.keySet());
    byElementSize.sort(
        Comparator.comparing(
            (String name) -> -Objects.requireNonNull(arrays.get(name)).type().elementBytes()));
    Map<String, Tensor> placed = new HashMap<>();
    long position = 0;
    for (String name : byElementSize) {
      StateArray array = arrays.get(name);
      long end = position + Objects.requireNonNull(array).littleEndian().remaining();
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
    StringBuilder json = new StringBuilder("{");
    for (Tensor tensor : tensors) {
      json.append(json.length() == 1 ? "" : ",").append(encode(tensor));
    }
    json.append('}');
    while (json.length() % ALIGNMENT != 0) {
      json.append(' ');
    }
    return json.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Names of a {@code StateMap} are printable ASCII, of which two characters need an escape. */
  private static String encode(Tensor tensor) {
    String name = tensor.name().replace("\\", "\\\\").replace("\"", "\\\"");
    return ('"' + name + '"')
        + (":{\"dtype\":\"" + dtype(tensor.type()) + '"')
        + (",\"shape\":" + encode(tensor.shape()))
        + (",\"data_offsets\":" + encode(tensor.begin(), tensor.end()) + '}');
  }

  private static String encode(long... numbers) {
    return LongStream.of(numbers)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  /**
   * Reads a header and checks that its arrays cover the data exactly.
   *
   * @throws StateException if the bytes are not such a header
   */
  static SafetensorsHeader parse(byte[] header, long dataSize) {
    SafetensorsHeader parsed = new SafetensorsHeader(new SafetensorsHeaderParser(header).tensors());
    parsed.requireCover(dataSize);
    return parsed;
  }

  /** Checks the declaration of one array in a header. */
  static Tensor tensor(String name, String dtype, long[] shape, long[] offsets) {
    StateArray.Type type = type(name, dtype);
    if (offsets.length != 2) {
      throw new StateException("'" + name + "' must have 2 data_offsets, has " + offsets.length);
    }
    long expected = StateArray.byteCount(type, shape);
    if (offsets[0] > offsets[1] || offsets[1] - offsets[0] != expected) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "'%s' of shape %s takes %d bytes, its data_offsets are %s",
              name,
              Arrays.toString(shape),
              expected,
              Arrays.toString(offsets)));
    }
    return new Tensor(name, type, shape, offsets[0], offsets[1]);
  }

  private void requireCover(long dataSize) {
    long position = 0;
    for (Tensor tensor : inDataOrder()) {
      if (tensor.begin() != position) {
        throw new StateException(
            String.format(
                Locale.ROOT,
                "'%s' starts at %d, the array before it ends at %d",
                tensor.name(),
                tensor.begin(),
                position));
      }
      position = tensor.end();
    }
    if (position != dataSize) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "the arrays take %d bytes, the file has %d bytes of data",
              position,
              dataSize));
    }
  }

  private static String dtype(StateArray.Type type) {
    return switch (type) {
      case FLOAT32 -> "F32";
      case FLOAT64 -> "F64";
      case INT64 -> "I64";
      case UINT8 -> "U8";
    };
  }

  private static StateArray.Type type(String name, String dtype) {
    return switch (dtype) {
      case "F32" -> StateArray.Type.FLOAT32;
      case "F64" -> StateArray.Type.FLOAT64;
      case "I64" -> StateArray.Type.INT64;
      case "U8" -> StateArray.Type.UINT8;
      default ->
          throw new StateException(
              "'%s' has dtype %s; F32, F64, I64 and U8 are supported".formatted(name, dtype));
    };
  }
}
