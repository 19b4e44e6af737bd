package io.quantail.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkingDirectoryTest {
  @AfterEach
  void clear() {
    System.clearProperty(WorkingDirectory.PROPERTY);
  }

  @Test
  void shouldKeepNamesInTheProcessOfTheCommand() {
    assertThat(WorkingDirectory.resolve("data/*.csv")).isEqualTo("data/*.csv");
  }

  @Test
  void shouldResolveAgainstTheUsersDirectoryInOtherProcesses() {
    System.setProperty(WorkingDirectory.PROPERTY, "/home/user");
    assertThat(WorkingDirectory.resolve("data/*.csv")).isEqualTo("/home/user/data/*.csv");
    assertThat(WorkingDirectory.resolve("/mnt/bars.csv")).isEqualTo("/mnt/bars.csv");
    assertThat(WorkingDirectory.resolve("s3://bucket/bars.csv")).isEqualTo("s3://bucket/bars.csv");
  }
}
