package io.quantail.config;

import java.util.List;

/**
 * A section of the settings that a module outside the learner provides.
 *
 * <p>List the implementing class in {@code META-INF/services/io.quantail.config.ConfigExtension}.
 * The section is as strict as the built-in ones: its record gives names and defaults, its compact
 * constructors refuse values out of range with a {@link ConfigException}. A run has it only if its
 * file or an override names it.
 */
public interface ConfigExtension {
  /** Name at the top level of the YAML file, different from all others. */
  String name();

  /**
   * A public record whose components are settings, lists of settings, or records of the same; on
   * the first level also maps from names that the user chooses to records whose components may all
   * be null: not given.
   */
  Record defaults();

  /**
   * The purpose of each setting of the section, with paths that begin with the name of the section;
   * see {@link SettingRule#table}. Settings without a row may not change on resume.
   */
  default List<SettingRule> rules() {
    return List.of();
  }
}
