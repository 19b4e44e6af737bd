package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkspaceTest {
  @Test
  void shouldLendTheSameRowsAgainAfterAResetOnly() {
    Workspace workspace = new Workspace();
    float[][] first = workspace.rows(2, 3);
    float[][] second = workspace.zeros(2, 3);
    assertThat(first[0]).isNotSameAs(second[0]).isNotSameAs(first[1]).hasSize(3);
    first[1][2] = 7;
    workspace.reset();
    assertThat(workspace.rows(1, 3)[0]).isSameAs(first[0]);
    float[][] cleared = workspace.zeros(1, 3);
    assertThat(cleared[0]).isSameAs(first[1]).containsOnly(0);
    assertThat(workspace.rows(1, 5)[0]).hasSize(5);
  }
}
