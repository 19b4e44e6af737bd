package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/settings.md} has a row for every setting, and for nothing else. */
class ConfigurationDocumentationTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z.0-9]+)` \\|");

  @Requirement("CLI-2")
  @Test
  void shouldDocumentEverySetting() throws IOException {
    Path file = Path.of(System.getProperty("quantail.root"), "docs", "reference/settings.md");
    Set<String> documented =
        ROW.matcher(Files.readString(file))
            .results()
            .map(MatchResult::group)
            .map(row -> row.replaceAll("[|` ]", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(ConfigDiff.flat(YamlConfig.defaults()).keySet());
  }
}
