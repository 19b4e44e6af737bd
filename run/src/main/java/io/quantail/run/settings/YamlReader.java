package io.quantail.run.settings;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.quantail.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Locale;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * One YAML document as a tree, with errors that name the source, line and column.
 *
 * <p>The tree is built here and not by Jackson so that numbers keep all their digits, a repeated
 * name is reported with its path, and {@code .nan} reaches the check of its setting.
 */
final class YamlReader {
  static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .configure(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN, true)
          .build();

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final int MOST_LEVELS = 32;

  private final YAMLParser parser;
  private final String sourceName;
  private int level;

  private YamlReader(YAMLParser parser, String sourceName) {
    this.parser = parser;
    this.sourceName = sourceName;
  }

  /** The document, or a null node if the text has only comments. */
  static JsonNode parse(String yaml, String sourceName) {
    String text = yaml.startsWith(BYTE_ORDER_MARK) ? yaml.substring(1) : yaml;
    try (YAMLParser parser = MAPPER.getFactory().createParser(text)) {
      return new YamlReader(parser, sourceName).document();
    } catch (JsonProcessingException exception) {
      throw syntaxError(exception, sourceName);
    } catch (IOException exception) {
      throw new UncheckedIOException("reading a string does no input", exception);
    }
  }

  private JsonNode document() throws IOException {
    JsonNode document = parser.nextToken() == null ? NullNode.instance : node("");
    if (parser.nextToken() != null) {
      throw new ConfigException(sourceName + " must contain one YAML document, not several");
    }
    return document;
  }

  private JsonNode node(String prefix) throws IOException {
    if (parser.isCurrentAlias()) {
      throw error(parser.currentTokenLocation(), "aliases are not supported, write the value out");
    }
    if (level == MOST_LEVELS) {
      throw error(
          parser.currentTokenLocation(),
          String.format(Locale.ROOT, "more than %d levels of nesting", MOST_LEVELS));
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> section(prefix);
      case START_ARRAY -> list(prefix);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> BooleanNode.valueOf(parser.getBooleanValue());
      case VALUE_NULL -> NullNode.instance;
      case VALUE_STRING -> TextNode.valueOf(parser.getText());
      default -> throw error(parser.currentTokenLocation(), "binary values are not supported");
    };
  }

  private ObjectNode section(String prefix) throws IOException {
    ObjectNode section = MAPPER.createObjectNode();
    level++;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (section.has(name)) {
        throw error(parser.currentTokenLocation(), "setting " + prefix + name + " is given twice");
      }
      parser.nextToken();
      section.set(name, node(prefix + name + "."));
    }
    level--;
    return section;
  }

  private ArrayNode list(String prefix) throws IOException {
    ArrayNode list = MAPPER.createArrayNode();
    level++;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(node(prefix));
    }
    level--;
    return list;
  }

  /** A number without decimal digits, such as {@code .inf}, stays text. */
  private static JsonNode number(String text) {
    try {
      return DecimalNode.valueOf(new BigDecimal(text.replace("_", "")));
    } catch (NumberFormatException notDecimal) {
      return TextNode.valueOf(text);
    }
  }

  private static ConfigException syntaxError(JsonProcessingException exception, String source) {
    if (exception.getCause() instanceof MarkedYAMLException syntax) {
      // The location Jackson gives is where the enclosing element began, not where it went wrong.
      Mark mark = syntax.getProblemMark();
      return error(source, mark.getLine() + 1, mark.getColumn() + 1, syntax.getProblem());
    }
    JsonLocation location = exception.getLocation();
    if (location == null) { // limits of the parser have none
      return new ConfigException(source + ": " + exception.getOriginalMessage());
    }
    return error(
        source, location.getLineNr(), location.getColumnNr(), exception.getOriginalMessage());
  }

  private ConfigException error(JsonLocation location, String problem) {
    return error(sourceName, location.getLineNr(), location.getColumnNr(), problem);
  }

  private static ConfigException error(String source, int line, int column, String problem) {
    return new ConfigException(
        String.format(Locale.ROOT, "%s, line %d, column %d: %s", source, line, column, problem));
  }
}
