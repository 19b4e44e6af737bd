package example;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.Agent;
import io.quantail.env.check.EnvironmentChecker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples run as the documentation shows them. */
class ExamplesTest {
  @TempDir private Path temporary;

  @Test
  void shouldTrainSaveAndServeTheInventory() throws Exception {
    Path directory = temporary.resolve("inventory");
    Inventory.main("4096", directory.toString());

    Agent agent = Agent.load(directory);
    assertThat(agent.provenance().steps()).isEqualTo(4096);
    List<Integer> once = ServeFromThreads.serve(agent, 8);
    assertThat(ServeFromThreads.serve(agent, 8)).isEqualTo(once).hasSize(8);
    assertThat(ServeFromThreads.serve(agent, 1)).isEqualTo(once.subList(0, 1));
  }

  @Test
  void shouldTuneTheInventory() {
    Path directory = temporary.resolve("study");
    TuneInventory.main("4096", directory.toString());

    assertThat(directory.resolve("results.csv")).exists();
    assertThat(Agent.load(directory.resolve("agent")).provenance().steps()).isEqualTo(4096);
  }

  @Test
  void shouldFollowTheContract() {
    assertThat(EnvironmentChecker.check(index -> new Inventory()).passed()).isTrue();
  }
}
