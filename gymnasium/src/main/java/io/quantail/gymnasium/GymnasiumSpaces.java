package io.quantail.gymnasium;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * What a Python process says about its environments.
 *
 * @param observation an observation as one row of numbers
 * @param action actions
 * @param masks whether the environments name the allowed choices in {@code info["action_mask"]}
 */
record GymnasiumSpaces(ObservationSpace observation, ActionSpace action, boolean masks) {
  private static final String UNNAMED = "observation";

  static GymnasiumSpaces of(JsonNode content, String environment) {
    JsonNode parts = content.get("observation");
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
    return new GymnasiumSpaces(observation(parts), action, content.get("masks").asBoolean());
  }

  private static ObservationSpace observation(JsonNode parts) {
    ObservationSpace space = ObservationSpace.named();
    for (JsonNode part : parts) {
      String name = part.get("name").asText();
      int size = part.get("size").asInt();
      boolean raw = part.get("raw").asBoolean();
      if (parts.size() == 1 && name.isEmpty() && !raw) {
        return ObservationSpace.of(size);
      }
      String shown = name.isEmpty() ? UNNAMED : name;
      space = raw ? space.rawPart(shown, size) : space.part(shown, size);
    }
    return space;
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
}
