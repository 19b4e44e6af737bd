package io.quantail.export;

import io.quantail.run.io.ProtobufMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * An ONNX model under construction. Methods add a node or a constant and return the name of its
 * value. Nothing else is known here of the agent.
 *
 * <p>All numbers are float32, which every ONNX runtime computes with.
 *
 * <p>See: ONNX, {@code onnx.proto} and "Open Neural Network Exchange Intermediate Representation".
 */
final class OnnxGraph {
  /** The version of the operators: onnxruntime has it since 1.12. */
  static final int OPSET = 17;

  private static final int IR_VERSION = 8; // that of the operators above

  /** Types of the elements of a tensor. */
  enum ElementType {
    FLOAT(1),
    INT64(7),
    BOOL(9);

    private final int code;

    ElementType(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /**
   * An input or output.
   *
   * @param shape a number or a name for each dimension
   */
  record Value(String name, ElementType type, List<Object> shape) {
    private ProtobufMessage message() {
      ProtobufMessage dimensions = new ProtobufMessage();
      for (Object size : shape) {
        ProtobufMessage dimension = new ProtobufMessage();
        dimensions.message(
            1,
            size instanceof Integer number
                ? dimension.varint(1, number)
                : dimension.text(2, size.toString()));
      }
      ProtobufMessage tensor = new ProtobufMessage().varint(1, type.code).message(2, dimensions);
      return new ProtobufMessage()
          .text(1, name)
          .message(2, new ProtobufMessage().message(1, tensor));
    }

    /** The value in words, such as {@code observation float [batch, 3]}. */
    @Override
    public String toString() {
      return name + " " + type.name().toLowerCase(Locale.ROOT) + " " + shape;
    }
  }

  private final List<Value> inputs = new ArrayList<>();
  private final List<Value> outputs = new ArrayList<>();
  private final ProtobufMessage graph = new ProtobufMessage();
  private final Map<String, Integer> nodes = new HashMap<>(); // how many of each operator
  private final Set<String> names = new HashSet<>(); // of numbers

  /**
   * Declares an input.
   *
   * @param shape a number or a name for each dimension
   */
  String input(String name, ElementType type, Object... shape) {
    inputs.add(new Value(name, type, List.of(shape)));
    graph.message(11, inputs.get(inputs.size() - 1).message());
    return name;
  }

  /** Declares a value as an output under another name. */
  void output(String name, String value, Object... shape) {
    addNode("Identity", List.of(value), name, List.of());
    outputs.add(new Value(name, ElementType.FLOAT, List.of(shape)));
    graph.message(12, outputs.get(outputs.size() - 1).message());
  }

  /** The inputs in the order of their declaration. */
  List<Value> inputs() {
    return inputs;
  }

  /** The outputs in the order of their declaration. */
  List<Value> outputs() {
    return outputs;
  }

  /** Adds a constant under a name of its own. */
  String constant(String name, float[] values, long... shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return constant(name, ElementType.FLOAT, bytes.array(), shape);
  }

  /** Adds a vector of constants, rounded to float, under a name of its own. */
  String constant(String name, double[] values) {
    return constant(name, floats(values), values.length);
  }

  /** Adds a matrix of one column, rounded to float, under a name of its own. */
  String column(String name, double[] values) {
    return constant(name, floats(values), values.length, 1);
  }

  private static float[] floats(double[] values) {
    float[] rounded = new float[values.length];
    for (int i = 0; i < rounded.length; i++) {
      rounded[i] = (float) values[i];
    }
    return rounded;
  }

  /** Adds a number, unless it is there already. */
  String number(double value) {
    String name = "number_" + (float) value;
    return names.add(name) ? constant(name, new float[] {(float) value}, new long[0]) : name;
  }

  /** Adds a whole number, unless it is there already. */
  String index(long value) {
    String name = "index_" + value;
    return names.add(name) ? indices(name, new long[] {value}, new long[0]) : name;
  }

  /** Adds a vector of whole numbers under a name of its own. */
  String indices(String name, long... values) {
    return indices(name, values, new long[] {values.length});
  }

  private String indices(String name, long[] values, long[] shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return constant(name, ElementType.INT64, bytes.array(), shape);
  }

  private String constant(String name, ElementType type, byte[] bytes, long[] shape) {
    ProtobufMessage tensor = new ProtobufMessage();
    for (long size : shape) {
      tensor.varint(1, size);
    }
    graph.message(5, tensor.varint(2, type.code).text(8, name).bytes(9, bytes));
    return name;
  }

  /** Adds a node without attributes. */
  String node(String operator, String... values) {
    return node(operator, List.of(), values);
  }

  /** Adds a node with attributes. */
  String node(String operator, List<Attribute> attributes, String... values) {
    String result = next(operator);
    addNode(operator, List.of(values), result, attributes);
    return result;
  }

  /** Adds a node that divides a value into parts of the given sizes along the last axis. */
  List<String> split(String value, long... sizes) {
    if (sizes.length == 1) {
      return List.of(value);
    }
    String name = next("Split");
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      parts.add(name + "_" + i);
    }
    addNode(
        "Split",
        List.of(value, indices(name + "_sizes", sizes)),
        parts,
        List.of(Attribute.integer("axis", -1)));
    return parts;
  }

  /** Adds nodes that sort a value along the last axis, ascending. */
  String sorted(String value, int size) {
    String name = next("TopK");
    addNode(
        "TopK",
        List.of(value, indices(name + "_size", size)),
        List.of(name, name + "_indices"),
        List.of(Attribute.integer("axis", -1), Attribute.integer("largest", 0)));
    return name;
  }

  /** Adds a node that puts values side by side along an axis. */
  String joined(List<String> values, int axis) {
    return values.size() == 1
        ? values.get(0)
        : node("Concat", List.of(Attribute.integer("axis", axis)), values.toArray(String[]::new));
  }

  private String next(String operator) {
    return operator + "_" + nodes.merge(operator, 1, Integer::sum);
  }

  private void addNode(
      String operator, List<String> values, String result, List<Attribute> attributes) {
    addNode(operator, values, List.of(result), attributes);
  }

  private void addNode(
      String operator, List<String> values, List<String> results, List<Attribute> attributes) {
    ProtobufMessage node = new ProtobufMessage();
    values.forEach(value -> node.text(1, value));
    results.forEach(result -> node.text(2, result));
    node.text(3, results.get(0)).text(4, operator);
    attributes.forEach(attribute -> node.message(5, attribute.message()));
    graph.message(1, node);
  }

  /** A constant argument of an operator. */
  record Attribute(ProtobufMessage message) {
    private static final int FLOAT = 1;
    private static final int INTEGER = 2;
    private static final int INTEGERS = 7;

    static Attribute integer(String name, long value) {
      return of(INTEGER, new ProtobufMessage().text(1, name).varint(3, value));
    }

    static Attribute number(String name, double value) {
      return of(FLOAT, new ProtobufMessage().text(1, name).fixed32(2, (float) value));
    }

    static Attribute integers(String name, long... values) {
      ProtobufMessage message = new ProtobufMessage().text(1, name);
      for (long value : values) {
        message.varint(8, value);
      }
      return of(INTEGERS, message);
    }

    private static Attribute of(int type, ProtobufMessage message) {
      return new Attribute(message.varint(20, type));
    }
  }

  /**
   * The encoded model.
   *
   * @param version of this program
   */
  byte[] encode(String version, Map<String, String> metadata) {
    ProtobufMessage model =
        new ProtobufMessage()
            .varint(1, IR_VERSION)
            .text(2, "quantail")
            .text(3, version)
            .text(4, "io.quantail")
            .message(7, graph.text(2, "agent"))
            .message(8, new ProtobufMessage().varint(2, OPSET));
    metadata.forEach(
        (key, value) -> model.message(14, new ProtobufMessage().text(1, key).text(2, value)));
    return model.toBytes();
  }
}
