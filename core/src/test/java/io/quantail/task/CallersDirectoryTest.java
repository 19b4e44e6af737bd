package io.quantail.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallersDirectoryTest {
  @AfterEach
  void clear() {
    System.clearProperty(CallersDirectory.PROPERTY);
  }

  @Test
  void shouldLeaveNamesAloneInTheProcessOfTheCommand() {
    assertThat(CallersDirectory.resolve("data/*.csv")).isEqualTo("data/*.csv");
  }

  @Test
  void shouldMeanTheCallersDirectoryInOtherProcesses() {
    System.setProperty(CallersDirectory.PROPERTY, "/home/user");
    assertThat(CallersDirectory.resolve("data/*.csv")).isEqualTo("/home/user/data/*.csv");
    assertThat(CallersDirectory.resolve("/mnt/bars.csv")).isEqualTo("/mnt/bars.csv");
    assertThat(CallersDirectory.resolve("s3://bucket/bars.csv")).isEqualTo("s3://bucket/bars.csv");
  }
}
