package io.quantail.study.population;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRules;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hyper-parameters of a population, validated before training starts: each names a setting that has
 * an effect, and both ends of its range are allowed.
 *
 * @param hyperparameters by path, in the order of their names
 * @param configured values of the configuration, by path
 */
record HyperparameterSpace(List<Hyperparameter> hyperparameters, Map<String, String> configured) {
  /** Path of the hyper-parameters in a configuration. */
  static final String WHERE = "population.hyperparameters.";

  static HyperparameterSpace of(RunConfig config, PopulationConfig population) {
    String yaml = YamlConfig.toYaml(config);
    Map<String, String> settings = ConfigDiff.flat(config);
    List<Hyperparameter> space = new ArrayList<>();
    Map<String, String> configured = new LinkedHashMap<>();
    for (Map.Entry<String, HyperparameterConfig> entry : population.hyperparameters().entrySet()) {
      String path = entry.getKey();
      JsonNode setting = ConfigDiff.find(WHERE, path, config);
      SettingRules.all()
          .requireMovable(WHERE, path, settings, population.hyperparameters().keySet());
      Hyperparameter hyperparameter = hyperparameter(path, entry.getValue(), setting);
      checkEnds(yaml, hyperparameter);
      space.add(hyperparameter);
      configured.put(path, begin(hyperparameter, setting));
    }
    return new HyperparameterSpace(List.copyOf(space), configured);
  }

  private static Hyperparameter hyperparameter(
      String path, HyperparameterConfig config, JsonNode setting) {
    if (!config.values().isEmpty()) {
      List<String> values = config.values().stream().map(HyperparameterSpace::written).toList();
      return new Hyperparameter(
          path, new Hyperparameter.Choice(values), config.factor(), config.resample());
    }
    if (!setting.isNumber() && !setting.isNull()) {
      throw refused(
          path,
          "is %s and no number; give values instead of a range"
              .formatted(ConfigDiff.written(setting)));
    }
    boolean whole = setting.isIntegralNumber();
    Hyperparameter.Range range =
        new Hyperparameter.Range(config.min(), config.max(), config.scale(), whole);
    return new Hyperparameter(path, range, config.factor(), config.resample());
  }

  private static String written(Object value) {
    return value instanceof BigDecimal number
        ? number.stripTrailingZeros().toPlainString()
        : value.toString();
  }

  private static void checkEnds(String yaml, Hyperparameter hyperparameter) {
    List<String> ends =
        hyperparameter.domain() instanceof Hyperparameter.Choice choice
            ? choice.values()
            : List.of(hyperparameter.domain().at(0), hyperparameter.domain().at(1));
    for (String end : ends) {
      try {
        YamlConfig.parse(yaml, "population", List.of(hyperparameter.path() + "=" + end));
      } catch (ConfigException wrong) {
        throw refused(hyperparameter.path(), "allows what is not possible: " + wrong.getMessage());
      }
    }
  }

  /** Value of member 0 in the first generation. */
  private static String begin(Hyperparameter hyperparameter, JsonNode setting) {
    String path = hyperparameter.path();
    if (setting.isNull()) {
      throw refused(path, "has no value to begin with; set " + path + " in the configuration");
    }
    String value = ConfigDiff.written(setting);
    boolean inside =
        hyperparameter.domain() instanceof Hyperparameter.Choice choice
            ? choice.values().contains(value)
            : hyperparameter.domain() instanceof Hyperparameter.Range range
                && range.contains(Double.parseDouble(value));
    if (!inside) {
      throw refused(
          path,
          "leaves out the value it begins with: %s is %s in the configuration"
              .formatted(path, value));
    }
    return value;
  }

  private static ConfigException refused(String path, String why) {
    return new ConfigException(WHERE + path + " " + why);
  }
}
