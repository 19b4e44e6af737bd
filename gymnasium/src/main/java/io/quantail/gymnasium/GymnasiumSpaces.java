package io.quantail.gymnasium;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a Python process says about its environments.
 *
 * @param observation parts of an observation
 * @param action actions
 * @param masks whether the environments name the allowed choices in {@code info["action_mask"]}
 */
record GymnasiumSpaces(List<Part> observation, ActionSpace action, boolean masks) {
  /** One part of an observation; a raw one is not to be normalised. */
  record Part(String name, int size, boolean raw) {}

  static GymnasiumSpaces of(JsonNode content, String environment) {
    List<Part> parts = new ArrayList<>();
    for (JsonNode part : content.get("observation")) {
      parts.add(
          new Part(
              part.get("name").asText(), part.get("size").asInt(), part.get("raw").asBoolean()));
    }
    if (parts.isEmpty()) {
      throw new EnvironmentException(environment + " has an empty observation space");
    }
    List<ActionSpace> actions = new ArrayList<>();
    for (JsonNode part : content.get("action")) {
      actions.add(action(part, environment));
    }
    ActionSpace action =
        actions.size() == 1
            ? actions.get(0)
            : ActionSpace.product(actions.toArray(ActionSpace[]::new));
    return new GymnasiumSpaces(List.copyOf(parts), action, content.get("masks").asBoolean());
  }

  private static ActionSpace action(JsonNode part, String environment) {
    try {
      return part.has("count")
          ? ActionSpace.discrete(part.get("count").asInt())
          : ActionSpace.box(floats(part.get("low")), floats(part.get("high")));
    } catch (IllegalArgumentException refused) {
      throw new EnvironmentException(
          "the action space of " + environment + " cannot be used: " + refused.getMessage(),
          refused);
    }
  }

  private static float[] floats(JsonNode numbers) {
    float[] floats = new float[numbers.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) numbers.get(i).asDouble();
    }
    return floats;
  }

  int observationSize() {
    return observation.stream().mapToInt(Part::size).sum();
  }
}
