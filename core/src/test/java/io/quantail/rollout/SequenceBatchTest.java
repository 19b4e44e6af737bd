package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.network.SequenceInput;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a plain loop over a real rollout with episodes that end inside windows. */
@Requirement("BATCH-1")
class SequenceBatchTest {
  private static final int[] WINDOWS = {5, 0, 6, 3};

  private Experience experience;
  private Rollout rollout;

  @BeforeEach
  void collect() {
    experience =
        new Experience(
            SmallRuns.of(RunConfig.defaults(), "network.layers=2"),
            index -> new TimeLimitWrapper(new CartPole(), 6));
    experience.collect();
    rollout = experience.collect();
  }

  @AfterEach
  void close() {
    experience.close();
  }

  @Test
  void shouldTakeTheTransitionsOfItsWindowsInOrder() {
    List<Integer> expected = new ArrayList<>();
    for (int window : WINDOWS) {
      for (int step = 0; step < 8; step++) {
        expected.add((window / 4 * 8 + step) * 4 + window % 4);
      }
    }
    int[] actual = new SequenceBatch(rollout, WINDOWS).transitions();
    assertThat(Arrays.stream(actual).boxed()).containsExactlyElementsOf(expected);
  }

  @Test
  void shouldCutAtEpisodeStartsWithTheStateOfEachSequence() {
    SequenceBatch batch = new SequenceBatch(rollout, WINDOWS);
    SequenceInput sequences = batch.sequences();
    assertThat(sequences.packing().rows()).isEqualTo(batch.size());

    int sequence = -1;
    for (int row = 0; row < batch.size(); row++) {
      int transition = batch.transitions()[row];
      if (row % 8 == 0 || rollout.episodeStarts[transition]) {
        sequence++;
        checkInitial(sequences.initial().hidden(), rollout.windowHidden, sequence, transition);
        checkInitial(sequences.initial().cell(), rollout.windowCell, sequence, transition);
      }
      assertThat(sequences.observations()[row]).isSameAs(rollout.observations[transition]);
    }
    assertThat(sequences.initial().hidden()[0].length).isEqualTo(sequence + 1);
    assertThat(sequence + 1).isGreaterThan(WINDOWS.length);
  }

  /** Two memories of two layers: four planes of width 8. */
  private void checkInitial(float[][][] initial, float[] stored, int sequence, int transition) {
    int time = transition / 4;
    int window = time / 8 * 4 + transition % 4;
    for (int plane = 0; plane < 4; plane++) {
      for (int i = 0; i < 8; i++) {
        float expected =
            rollout.episodeStarts[transition] ? 0 : stored[(window * 4 + plane) * 8 + i];
        assertThat(initial[plane][sequence][i]).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldPickTheRightRows() {
    SequenceBatch batch = new SequenceBatch(rollout, WINDOWS);
    double[] numbers = new double[rollout.shape().transitions()];
    Arrays.setAll(numbers, i -> 10 * i);
    float[] picked = batch.pick(numbers);
    float[] logProbabilities = batch.logProbabilities();
    float[] actions = batch.rawActions();
    float[] distributions = batch.distributions();
    for (int row = 0; row < batch.size(); row++) {
      int transition = batch.transitions()[row];
      assertThat(picked[row]).isEqualTo(10 * transition);
      assertThat(logProbabilities[row]).isEqualTo(rollout.logProbabilities[transition]);
      assertThat(actions[row]).isEqualTo(rollout.rawActions[transition]);
      assertThat(distributions[2 * row + 1]).isEqualTo(rollout.distributions[2 * transition + 1]);
    }
  }
}
