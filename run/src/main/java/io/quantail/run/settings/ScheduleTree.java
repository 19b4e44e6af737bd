package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.Check;
import io.quantail.config.CoefficientSchedule;
import io.quantail.config.ConfigException;
import io.quantail.config.SettingNames;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * Schedules in trees of settings: a number, or an object with the names from, to and shape. Such an
 * object is the value of one setting, not a section.
 */
final class ScheduleTree {
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String SHAPE = "shape";
  private static final List<String> NAMES = List.of(FROM, TO, SHAPE);

  /** Shapes that a user can name; a constant is written as a number. */
  private static final List<CoefficientSchedule.Shape> SHAPES =
      Arrays.stream(CoefficientSchedule.Shape.values())
          .filter(shape -> shape != CoefficientSchedule.Shape.CONSTANT)
          .toList();

  private ScheduleTree() {}

  /** Whether a node of a complete tree is a schedule that is not constant. */
  static boolean is(JsonNode node) {
    return node.isObject() && NAMES.stream().allMatch(node::has);
  }

  static JsonNode write(CoefficientSchedule schedule) {
    if (schedule.isConstant()) {
      return number(schedule.from());
    }
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.set(FROM, number(schedule.from()));
    tree.set(TO, number(schedule.to()));
    return tree.put(SHAPE, SettingNames.written(schedule.shape()));
  }

  /** The shortest decimal that identifies a number, without an exponent: 0.0003. */
  static DecimalNode number(double value) {
    return DecimalNode.valueOf(new BigDecimal(Check.plain(value)));
  }

  /**
   * A given value over the present one. An object without both ends changes only the parts that it
   * names, so that {@code ppo.clipRange.to=0} keeps the start; a number is the start of what it
   * becomes. The result has all three parts, null where one is missing.
   */
  static JsonNode over(JsonNode present, JsonNode given) {
    if (!(given instanceof ObjectNode parts)) {
      return given;
    }
    boolean whole = parts.has(FROM) && parts.has(TO);
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    if (present instanceof ObjectNode schedule && !whole) {
      merged.setAll(schedule);
    } else {
      merged.set(FROM, present);
      merged.putNull(TO);
      merged.put(SHAPE, SettingNames.written(CoefficientSchedule.Shape.LINEAR));
    }
    return merged.setAll(parts);
  }

  static CoefficientSchedule read(JsonNode node, String path) {
    if (!(node instanceof ObjectNode parts)) {
      return CoefficientSchedule.constant(end(node, path));
    }
    for (String name : (Iterable<String>) parts::fieldNames) {
      if (!NAMES.contains(name)) {
        throw new ConfigException(
            "unknown setting %s.%s; %s is a number or {from: 0.2, to: 0, shape: linear}"
                .formatted(path, name, path));
      }
    }
    if (parts.path(TO).isNull()) {
      throw new ConfigException(
          path + " needs an end, such as to in {from: 0.2, to: 0, shape: linear}");
    }
    return new CoefficientSchedule(
        end(parts.path(FROM), path + "." + FROM),
        end(parts.path(TO), path + "." + TO),
        shape(parts.path(SHAPE), path + "." + SHAPE));
  }

  private static double end(JsonNode node, String path) {
    return (double) ScalarParser.present(double.class, node, path);
  }

  private static CoefficientSchedule.Shape shape(JsonNode node, String path) {
    String name = SettingNames.fold(node.asText());
    return SHAPES.stream()
        .filter(shape -> SettingNames.fold(shape.name()).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Check.notOneOf(
                    path, node.asText(), SHAPES.stream().map(SettingNames::written).toList()));
  }
}
