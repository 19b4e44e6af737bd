package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class RunCatalogTest {
  @TempDir private Path directory;

  /** A sweep has settings like a run; its agents are the runs. */
  @Test
  void shouldFindTheAgentsOfASweep() throws IOException {
    Path sweep = Files.createDirectories(directory.resolve("sweep"));
    Files.createFile(sweep.resolve("config.yaml"));
    Files.createFile(sweep.resolve("data.json"));
    Path agent = Files.createDirectories(sweep.resolve("runs/seed-1"));
    Files.createFile(agent.resolve("config.yaml"));

    RunCatalog.Found found = new RunCatalog(directory).scan();
    assertThat(found.runs()).containsOnlyKeys("sweep/runs/seed-1");
    assertThat(found.studies()).containsOnlyKeys("sweep");
    assertThat(found.runs().get("sweep/runs/seed-1").study()).isEqualTo("sweep");
    assertThat(new RunCatalog(sweep).scan().runs()).containsOnlyKeys("sweep/runs/seed-1");
    assertThat(new RunCatalog(sweep.resolve("runs")).scan().runs()).containsOnlyKeys("seed-1");
  }

  /** Members of a population are many; they are found by name and not listed. */
  @Test
  void shouldFindMembersOfAPopulationByName() throws IOException {
    Path many = Files.createDirectories(directory.resolve("many"));
    Files.createFile(many.resolve("journal.jsonl"));
    Files.createFile(Files.createDirectories(many.resolve("best")).resolve("config.yaml"));
    Path member = Files.createDirectories(many.resolve("members/member-001/generation-002"));
    Files.createFile(member.resolve("metrics.csv"));
    Path apart = Files.createDirectories(directory.resolve("apart/generation-002"));
    Files.createFile(apart.resolve("metrics.csv"));
    Files.createSymbolicLink(many.resolve("members/member-002"), apart.getParent());

    RunCatalog catalog = new RunCatalog(directory);
    assertThat(catalog.scan().runs()).containsOnlyKeys("many/best");
    assertThat(catalog.find("many/members/member-001/generation-002")).isPresent();
    for (String other :
        new String[] {
          "many/members/member-001",
          "many/members/member-001/generation-003",
          "many/members/../best",
          "many/members/member-001/../../best",
          "many/members/member-002/generation-002",
          "many/members/member-001/generation-002/"
        }) {
      assertThat(catalog.find(other)).as(other).isEmpty();
    }
  }

  @Test
  void shouldFindARunThatAppearsAndNoneThatIsGone() throws IOException {
    RunCatalog catalog = new RunCatalog(directory);
    assertThat(catalog.scan().runs()).isEmpty();
    Path run = Files.createDirectories(directory.resolve("new"));
    Path config = Files.createFile(run.resolve("config.yaml"));
    assertThat(catalog.find("new")).isPresent();
    Files.delete(config);
    Files.delete(run);
    assertThat(catalog.find("new")).isEmpty();
  }
}
