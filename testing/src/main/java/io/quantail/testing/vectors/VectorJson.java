package io.quantail.testing.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads numbers of vector files, in which text stands for values that JSON does not have. */
final class VectorJson {
  private VectorJson() {}

  /** A number; {@code null} and "NaN" are NaN, booleans are 0 and 1. */
  static double number(JsonNode node) {
    if (node.isNumber()) {
      return node.doubleValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue() ? 1 : 0;
    }
    if (node.isNull()) {
      return Double.NaN;
    }
    return switch (node.asText()) {
      case "NaN" -> Double.NaN;
      case "Infinity", "inf" -> Double.POSITIVE_INFINITY;
      case "-Infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> throw new IllegalArgumentException("not a number: " + node);
    };
  }

  /** All numbers of arrays nested to any depth, row by row. */
  static double[] flat(JsonNode node) {
    List<Double> numbers = new ArrayList<>();
    collect(node, numbers);
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Lengths of nested arrays from outside to inside, empty for a number. */
  static List<Integer> shape(JsonNode node) {
    List<Integer> shape = new ArrayList<>();
    for (JsonNode level = node; level.isArray(); level = level.path(0)) {
      shape.add(level.size());
    }
    return shape;
  }

  private static void collect(JsonNode node, List<Double> numbers) {
    if (node.isArray()) {
      node.forEach(child -> collect(child, numbers));
    } else {
      numbers.add(number(node));
    }
  }
}
