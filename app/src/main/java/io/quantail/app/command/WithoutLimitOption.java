package io.quantail.app.command;

import io.quantail.app.common.UsageException;
import io.quantail.app.report.LimitCost;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that trains the same agents also without their CVaR limit. */
final class WithoutLimitOption {
  @Option(
      names = "--without-limit",
      description =
          "Train the same settings and seeds also without the CVaR limit, in RUN"
              + LimitCost.SUFFIX
              + ", and print what the limit cost.")
  private boolean requested;

  boolean requested() {
    return requested;
  }

  /** Refuses the option without a limit to compare with. */
  void require(RunConfig config) {
    if (requested && config.risk().mode() == RiskConfig.Mode.OFF) {
      throw new UsageException(
          "--without-limit compares with a limit, but risk.mode is off; set one, for example --set"
              + " risk.mode=policy --set risk.limit=-0.01");
    }
  }

  /** The same settings without the limit, which is still measured. */
  static RunConfig free(RunConfig config) {
    return YamlConfig.parse(YamlConfig.toYaml(config), "config.yaml", List.of("risk.mode=off"));
  }
}
