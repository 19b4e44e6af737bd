package io.quantail.run;

import io.quantail.config.ConfigException;
import io.quantail.config.CriticConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a new training takes from the run it starts with: weights, observation statistics and the
 * scale of returns, and for a market the scaling of features and the risk units, so that the
 * weights see what they learnt on. Optimiser, schedules, controllers of KL, entropy and risk, and
 * counters are new. The run of a training is complete in itself: it resumes without its ancestor.
 */
public final class Inheritance {
  private final @Nullable RunReader parent;
  private final EnvironmentFactory environments;
  private final List<Ancestor> ancestors;

  private Inheritance(
      @Nullable RunReader parent, EnvironmentFactory environments, List<Ancestor> ancestors) {
    this.parent = parent;
    this.environments = environments;
    this.ancestors = ancestors;
  }

  /**
   * Prepares a training that may start with the agent of a run.
   *
   * @param config settings of the training
   * @param ancestor directory of the run; null for a training with new weights
   * @param notes receives lines for the user, on the snapshot that is read
   * @return the environments and the start of the training
   * @throws ConfigException if the agent does not fit the settings
   */
  public static Inheritance of(RunConfig config, @Nullable Path ancestor, Consumer<String> notes) {
    if (ancestor == null) {
      return none(EnvironmentRegistry.of(config));
    }
    RunReader parent = open(config, ancestor, notes);
    RunEnvironments provider = RunEnvironments.find(config);
    if (!provider.supports(parent.config())
        || !RunEnvironments.find(parent.config()).getClass().equals(provider.getClass())) {
      throw different(
          parent,
          "environment.name",
          config.environment().name(),
          parent.config().environment().name());
    }
    return new Inheritance(parent, provider.inheriting(config, parent), Ancestor.of(parent));
  }

  /**
   * Prepares a training that may start with the agent of a run, in environments that its settings
   * need not name.
   *
   * @param config settings of the training
   * @param environments in which it learns
   * @param ancestor directory of the run; null for a training with new weights
   * @param notes receives lines for the user, on the snapshot that is read
   * @return the environments and the start of the training
   * @throws ConfigException if the agent does not fit the settings or the environments
   */
  public static Inheritance of(
      RunConfig config,
      EnvironmentFactory environments,
      @Nullable Path ancestor,
      Consumer<String> notes) {
    if (ancestor == null) {
      return none(environments);
    }
    RunReader parent = open(config, ancestor, notes);
    requireSameSpaces(config, environments, parent);
    return new Inheritance(parent, environments, Ancestor.of(parent));
  }

  private static Inheritance none(EnvironmentFactory environments) {
    return new Inheritance(null, environments, List.of());
  }

  private static RunReader open(RunConfig config, Path ancestor, Consumer<String> notes) {
    RunReader parent = RunReader.open(ancestor, notes);
    requireSameShape(config, parent);
    return parent;
  }

  /** {@return the environments of the training} */
  public EnvironmentFactory environments() {
    return environments;
  }

  /** {@return the ancestors for the run directory, the nearest first; empty for new weights} */
  public List<Ancestor> ancestors() {
    return ancestors;
  }

  /**
   * Gives a new trainer the state of the ancestor; does nothing for a training with new weights.
   *
   * @param trainer that was made for {@link #environments} and has not trained yet
   */
  public void start(Trainer trainer) {
    if (parent != null) {
      trainer.startFrom(parent.snapshot().state());
    }
  }

  private static void requireSameShape(RunConfig config, RunReader parent) {
    Map<String, Object> wanted = shape(config);
    Map<String, Object> given = shape(parent.config());
    wanted.forEach(
        (setting, value) -> {
          Object other = given.get(setting);
          if (!Objects.equals(value, other)) {
            throw different(parent, setting, written(value), written(other));
          }
        });
  }

  private static String written(@Nullable Object value) {
    return value instanceof Enum<?> name ? SettingNames.written(name) : String.valueOf(value);
  }

  /** The settings without which the weights mean something else. */
  private static Map<String, Object> shape(RunConfig config) {
    Map<String, Object> shape = new LinkedHashMap<>();
    shape.put("network.memory", config.network().memory());
    shape.put("network.hidden", config.network().hidden());
    shape.put("network.layers", config.network().layers());
    shape.put("network.headLayers", config.network().headLayers());
    shape.put("network.headUnits", config.network().headWidth());
    shape.put("network.sharedMemory", config.network().sharedMemory());
    shape.put("network.activation", config.network().activation());
    shape.put("network.squash", config.network().squash());
    shape.put("network.exploration", config.network().exploration());
    shape.put("critic.type", config.critic().type());
    if (config.critic().type() == CriticConfig.Type.QUANTILE) {
      shape.put("critic.quantiles", config.critic().quantiles());
      shape.put("critic.meanHead", config.critic().meanHead());
    } else {
      shape.put("critic.atoms", config.critic().atoms());
      shape.put("critic.support", config.critic().support());
    }
    shape.put("critic.twin", config.critic().twin());
    shape.put("environment.normalizeObservations", config.environment().normalizeObservations());
    if (config.environment().normalizeObservations()) {
      shape.put("environment.observationClip", config.environment().observationClip());
    }
    return shape;
  }

  /**
   * Describes a setting in which a training and its ancestor differ but must not.
   *
   * @param ancestor the run
   * @param setting its path
   * @param wanted value of the training
   * @param given value of the run
   * @return an exception with one line for the user
   */
  public static ConfigException different(
      RunReader ancestor, String setting, String wanted, String given) {
    return new ConfigException(
        "%s is %s, but the agent of %s was trained with %s; set it to %s, or start with new weights"
            .formatted(setting, wanted, ancestor.directory(), given, given));
  }

  /** Refuses environments whose observations or actions differ from those of the ancestor. */
  static void requireSameSpaces(
      RunConfig config, EnvironmentFactory environments, RunReader ancestor) {
    SpaceFile then = RunReader.spaces(ancestor.directory(), ancestor.config());
    try (Environment now = environments.create(0)) {
      List<String> differences = new ArrayList<>();
      if (now.observationSpace().size() != then.observations().size()) {
        differences.add(
            String.format(
                Locale.ROOT,
                "%d observations instead of %d",
                now.observationSpace().size(),
                then.observations().size()));
      }
      if (!now.actionSpace().equals(then.actions())) {
        differences.add(
            "the actions %s instead of %s".formatted(now.actionSpace(), then.actions()));
      }
      if (!differences.isEmpty()) {
        throw new ConfigException(
            "environment.name %s has %s, with which the agent of %s was trained; use an environment with the same ones, or start with new weights"
                .formatted(
                    config.environment().name(),
                    String.join(" and ", differences),
                    ancestor.directory()));
      }
    }
  }
}
