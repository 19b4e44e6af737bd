package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.quantail.config.CoefficientSchedule;
import io.quantail.config.ConfigException;
import io.quantail.config.SettingNames;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of settings as objects of Java and as nodes of a tree. */
final class SettingValue {
  private SettingValue() {}

  /** A value as a node; texts are read as in YAML, so that "0.2" is a number. */
  static JsonNode node(@Nullable Object value, String sourceName) {
    if (value == null) {
      return NullNode.instance;
    } else if (value instanceof CharSequence text) {
      return YamlReader.parse(text.toString(), sourceName);
    } else if (value instanceof Boolean flag) {
      return BooleanNode.valueOf(flag);
    } else if (value instanceof Double || value instanceof Float) {
      double number = Double.parseDouble(value.toString()); // 0.1f is 0.1
      return Double.isFinite(number)
          ? ScheduleTree.number(number)
          : TextNode.valueOf(value.toString());
    } else if (value instanceof BigDecimal number) {
      return DecimalNode.valueOf(number);
    } else if (value instanceof Number number) {
      return LongNode.valueOf(number.longValue());
    } else if (value instanceof Enum<?> constant) {
      return TextNode.valueOf(SettingNames.written(constant));
    } else if (value instanceof CoefficientSchedule schedule) {
      return ScheduleTree.write(schedule);
    } else if (value instanceof Iterable<?> values) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      values.forEach(element -> list.add(node(element, sourceName)));
      return list;
    }
    throw new ConfigException(
        "%s must be a number, a flag, a text, a list or a schedule, was of type %s"
            .formatted(sourceName, value.getClass().getName()));
  }

  /** The value of a node: a long, a double, a flag, a text, a schedule, a list or null. */
  static @Nullable Object of(JsonNode node) {
    if (node.isNull()) {
      return null;
    } else if (node.isBoolean()) {
      return node.booleanValue();
    } else if (node.isNumber()) {
      return number(node.decimalValue());
    } else if (ScheduleTree.is(node)) {
      return ScheduleTree.read(node, "schedule");
    } else if (node.isArray()) {
      List<@Nullable Object> values = new ArrayList<>();
      node.forEach(element -> values.add(of(element)));
      return values;
    }
    return node.asText();
  }

  private static Object number(BigDecimal number) {
    boolean whole = number.stripTrailingZeros().scale() <= 0 && number.scale() <= 0;
    return whole ? (Object) number.longValueExact() : (Object) number.doubleValue();
  }
}
