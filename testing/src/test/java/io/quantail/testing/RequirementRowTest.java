package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequirementRowTest {
  @TempDir Path folder;

  @Test
  void shouldReadRowsOfAllTablesInOrder() throws IOException {
    assertThat(
            rows(
                "# Title",
                "| ID | requirement | proven by |",
                "|---|---|---|",
                "| B-2 | x | `FirstTest`, `SecondTest` |",
                "text A-1",
                "| A-1 | y with `code` | `ThirdTest` (with `-Pcluster`) |"))
        .containsExactly(
            new RequirementRow("B-2", List.of("FirstTest", "SecondTest"), Optional.empty()),
            new RequirementRow("A-1", List.of("ThirdTest"), Optional.of("cluster")));
  }

  @Test
  void shouldNotTakeCodeOfTheRequirementForATest() throws IOException {
    assertThat(rows("| A-1 | emits `train/x` |", "| A-2 | emits `train/x` | |"))
        .extracting(RequirementRow::tests)
        .containsExactly(List.of(), List.of());
  }

  @Test
  void shouldRefuseDocumentWithRepeatedId() {
    assertThatThrownBy(() -> rows("| A-1 | x | `XTest` |", "| A-1 | y | `YTest` |"))
        .hasMessageContaining("A-1");
  }

  private List<RequirementRow> rows(String... lines) throws IOException {
    return RequirementRow.readAll(Files.write(folder.resolve("requirements.md"), List.of(lines)));
  }
}
