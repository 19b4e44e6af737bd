package io.quantail.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.run.io.Json;
import io.quantail.state.StateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The observations and actions of an agent, as the file {@code spaces.json}.
 *
 * @param observations the numbers of an observation
 * @param actions space of the actions
 */
public record SpaceFile(ObservationSpace observations, ActionSpace actions) {

  /**
   * Refuses spaces with which an agent was not trained; names of observations may differ.
   *
   * @param trained spaces of the training so far
   * @throws ConfigException if they differ from these
   */
  void requireSame(SpaceFile trained) {
    if (!Arrays.equals(observations.raw(), trained.observations.raw())
        || !actions.equals(trained.actions)) {
      throw new ConfigException(
          "the environment observes %s and acts in %s, but the run was trained to observe %s and to"
                  .formatted(observations, actions, trained.observations)
              + " act in %s; restore the environment, or start a new run"
                  .formatted(trained.actions));
    }
  }

  /** {@return the text of the file} */
  public String toJson() {
    try {
      return Json.text(tree()) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree is always writable", impossible);
    }
  }

  /** {@return the content of the file} */
  public ObjectNode tree() {
    ObjectNode tree = Json.MAPPER.createObjectNode();
    ObjectNode observation = tree.putObject("observation").put("size", observations.size());
    ArrayNode parts = observation.putArray("parts");
    for (ObservationSpace.Part part : observations.parts()) {
      parts.addObject().put("name", part.name()).put("size", part.size()).put("raw", part.raw());
    }
    tree.set("action", tree(actions));
    return tree;
  }

  private static ObjectNode tree(ActionSpace space) {
    ObjectNode tree = Json.MAPPER.createObjectNode();
    if (space instanceof ActionSpace.Discrete discrete) {
      return tree.put("type", "discrete").put("count", discrete.count());
    } else if (space instanceof ActionSpace.Box box) {
      tree.put("type", "box");
      putFloats(tree.putArray("low"), box.low());
      putFloats(tree.putArray("high"), box.high());
      return tree;
    }
    ArrayNode parts = tree.put("type", "product").putArray("parts");
    space.parts().forEach(part -> parts.add(tree(part)));
    return tree;
  }

  private static void putFloats(ArrayNode array, float[] values) {
    for (float value : values) {
      array.add(value);
    }
  }

  /**
   * Reads the text of a file.
   *
   * @param text of the file
   * @return the spaces
   * @throws StateException if the text does not describe spaces
   */
  public static SpaceFile parse(String text) {
    try {
      JsonNode tree = Json.MAPPER.readTree(text);
      return new SpaceFile(
          observations(tree.path("observation").path("parts")), space(tree.path("action")));
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw new StateException("does not describe observations and actions", malformed);
    }
  }

  private static ObservationSpace observations(JsonNode array) {
    ObservationSpace space = ObservationSpace.named();
    for (JsonNode part : array) {
      String name = part.path("name").asText();
      int size = whole(part.path("size"));
      space = part.path("raw").asBoolean() ? space.rawPart(name, size) : space.part(name, size);
    }
    if (space.size() == 0) {
      throw new IllegalArgumentException("an observation needs at least one part");
    }
    return space;
  }

  private static ActionSpace space(JsonNode tree) {
    return switch (tree.path("type").asText()) {
      case "discrete" -> ActionSpace.discrete(whole(tree.path("count")));
      case "box" -> ActionSpace.box(floats(tree.path("low")), floats(tree.path("high")));
      case "product" -> ActionSpace.product(parts(tree.path("parts")));
      default -> throw new IllegalArgumentException("unknown type of actions " + tree.path("type"));
    };
  }

  private static ActionSpace[] parts(JsonNode array) {
    List<ActionSpace> parts = new ArrayList<>();
    array.forEach(part -> parts.add(space(part)));
    return parts.toArray(ActionSpace[]::new);
  }

  private static int whole(JsonNode node) {
    if (!node.isInt()) {
      throw new IllegalArgumentException("a whole number is needed, was " + node);
    }
    return node.intValue();
  }

  private static float[] floats(JsonNode array) {
    float[] values = new float[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).floatValue();
    }
    return values;
  }
}
