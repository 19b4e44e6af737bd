package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildDescriptionTest {
  private static final String POM =
      """
      <project>
        <modules>
          <module>core</module>
          <module>app</module>
        </modules>
        <properties><excludedGroups>learning, soak</excludedGroups></properties>
        <profiles>
          <profile><id>cluster</id><modules><module>spark</module></modules></profile>
          <profile><id>fast</id></profile>
        </profiles>
      </project>
      """;

  @TempDir Path folder;

  @Test
  void shouldReadModulesProfilesAndExcludedTags() throws IOException {
    BuildDescription build = read(POM);

    assertThat(build.excludedTags()).containsExactlyInAnyOrder("learning", "soak");
    assertThat(build.modulesWith(Set.of())).containsExactly("core", "app");
    assertThat(build.modulesWith(Set.of("cluster"))).containsExactly("core", "app", "spark");
    assertThat(build.modulesWith(Set.of("fast"))).containsExactly("core", "app");
  }

  @Test
  void shouldRefuseProfileThatThePomDoesNotHave() throws IOException {
    BuildDescription build = read(POM);

    assertThatThrownBy(() -> build.modulesWith(Set.of("clutser")))
        .hasMessageContaining("clutser")
        .hasMessageContaining("[cluster, fast]");
  }

  @Test
  void shouldRefuseWhatIsNotXml() {
    assertThatThrownBy(() -> read("no pom"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pom.xml");
  }

  private BuildDescription read(String text) throws IOException {
    return BuildDescription.read(Files.writeString(folder.resolve("pom.xml"), text));
  }
}
