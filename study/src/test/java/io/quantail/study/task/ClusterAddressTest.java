package io.quantail.study.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterAddressTest {
  @Test
  void shouldReadTheThreeKinds() {
    ClusterAddress here = ClusterAddress.of("local-cluster[12]");
    assertThat(here.isOnThisMachine()).isTrue();
    assertThat(here.isStandalone()).isFalse();
    assertThat(here.processes()).isEqualTo(12);

    ClusterAddress standalone = ClusterAddress.of("spark://one:7077,10.0.0.2:7078");
    assertThat(standalone.isOnThisMachine()).isFalse();
    assertThat(standalone.masters())
        .containsExactly(
            InetSocketAddress.createUnresolved("one", 7077),
            InetSocketAddress.createUnresolved("10.0.0.2", 7078));

    ClusterAddress submitted = ClusterAddress.of("spark-submit");
    assertThat(submitted.isOnThisMachine() || submitted.isStandalone()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "moon",
        "local-cluster[0]",
        "local-cluster[two]",
        "local-cluster[2,1,1024]",
        "spark://",
        "spark://host",
        "spark://host:port",
        "spark://host:70000",
        "spark://one:1,",
        "spark://host:7077/path",
        "yarn"
      })
  void shouldRefuseOthers(String text) {
    assertThatThrownBy(() -> ClusterAddress.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be local, local-cluster[N], spark://HOST:PORT")
        .hasMessageEndingWith("was " + text);
  }
}
