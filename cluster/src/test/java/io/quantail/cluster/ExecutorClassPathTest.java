package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.study.task.ClusterSettings.Need;
import io.quantail.testing.Requirement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Requirement("CLU-1")
class ExecutorClassPathTest {
  private static final List<String> JARS =
      List.of(
          "quantail-study-1.jar",
          "jackson-databind-2.jar",
          "jsoup-1.jar",
          "my-own-environment.jar",
          "duckdb_jdbc-1.jar",
          "echarts-5.jar",
          "ta4j-core-1.jar",
          "javalin-6.jar",
          "jetty-server-11.jar",
          "picocli-4.jar",
          "slf4j-nop-2.jar");

  private static List<String> sent(Set<Need> needs) {
    return JARS.stream().filter(jar -> ExecutorClassPath.isNeeded(jar, needs)).toList();
  }

  @Test
  void shouldSendOnlyWhatTasksNeed() {
    assertThat(sent(Set.of())).isEqualTo(JARS.subList(0, 4));
    assertThat(sent(Set.of(Need.REPORTS))).isEqualTo(JARS.subList(0, 6));
    assertThat(sent(Set.of(Need.BARS)))
        .containsExactlyInAnyOrder(
            JARS.get(0),
            JARS.get(1),
            JARS.get(2),
            JARS.get(3),
            "duckdb_jdbc-1.jar",
            "ta4j-core-1.jar");
    assertThat(sent(EnumSet.allOf(Need.class))).isEqualTo(JARS.subList(0, 7));
  }
}
