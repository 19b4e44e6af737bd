package io.quantail.gymnasium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("GYM-1")
class GymnasiumConfigTest {
  private static GymnasiumConfig options(String... options) {
    return new GymnasiumConfig(null, 1, 60, List.of(options));
  }

  @Test
  void shouldReadOptions() {
    Map<String, Object> arguments =
        options("gravity=-9.5", "wind=True", "mode = human", "size=[2, 3]", "none=None")
            .arguments();
    assertThat(arguments)
        .containsEntry("gravity", -9.5)
        .containsEntry("wind", true)
        .containsEntry("mode", "human")
        .containsEntry("size", List.of(2, 3))
        .containsEntry("none", null);
  }

  @Test
  void shouldRefuseWhatIsNoOption() {
    assertThatThrownBy(() -> options("gravity"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("gymnasium.options must be written as name=value, was \"gravity\"");
    assertThatThrownBy(() -> options("a=1", "a=2"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("gymnasium.options names \"a\" twice");
    assertThatThrownBy(() -> new GymnasiumConfig(null, 0, 60, List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gymnasium.processes must be at least 1");
  }

  @Test
  void shouldFindEnvironmentsByName() {
    EnvironmentFactory factory = EnvironmentRegistry.byName("gymnasium:LunarLander-v3");
    assertThat(factory)
        .isInstanceOf(GymnasiumFactory.class)
        .hasToString("Gymnasium LunarLander-v3");
    assertThatThrownBy(() -> EnvironmentRegistry.byName("gymnasium:"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gymnasium:LunarLander-v3");
  }
}
