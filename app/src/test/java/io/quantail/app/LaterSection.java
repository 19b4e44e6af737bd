package io.quantail.app;

import io.quantail.config.ConfigExtension;
import io.quantail.config.SettingRule;
import java.util.List;

/** A setting that did not exist when the runs in the test resources were stored. */
public final class LaterSection implements ConfigExtension {
  /**
   * @param level default 5; a stored run without it means 2
   */
  public record Later(int level) {}

  @Override
  public String name() {
    return "later";
  }

  @Override
  public Record defaults() {
    return new Later(5);
  }

  @Override
  public List<SettingRule> rules() {
    return SettingRule.parse(
        List.of(
            "setting     | resume | population | effect   | no effect while | since | before",
            "later.level | keep   | fixed      | learning |                 | 1     | 2"));
  }
}
