package io.quantail.market.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.learn.GeneratedMarket.Score;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Five seeds of bars and agents, two at a time; each must pass. Prints its numbers. */
@Tag("learning")
@Requirement("LEARN-1")
class GeneratedMarketLearningTest {
  private static final int BARS = 100_000;
  private static final int NOISE_BARS = 200_000; // half of them for the test
  private static final int SEEDS = 5;

  @Test
  void shouldUseWhatItSees() throws Exception {
    assertThat(train(GeneratedMarket.ORACLE, BARS)).allMatch(score -> score.share() >= 0.9);
  }

  @Test
  void shouldTradeMeanReversion() throws Exception {
    assertThat(train(GeneratedMarket.MEAN_REVERSION, BARS))
        .allMatch(score -> score.share() >= 0.75);
  }

  @Test
  void shouldHoldATrend() throws Exception {
    assertThat(train(GeneratedMarket.TREND, BARS)).allMatch(score -> score.share() >= 0.85);
  }

  @Test
  void shouldLeaveNoiseAlone() throws Exception {
    assertThat(train(GeneratedMarket.NOISE, NOISE_BARS)).allMatch(Score::isCalm);
  }

  private static List<Score> train(GeneratedMarket market, int bars)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Score>> futures =
          LongStream.rangeClosed(1, SEEDS)
              .mapToObj(seed -> threads.submit(() -> market.train(seed, bars)))
              .toList();
      List<Score> scores = new ArrayList<>();
      for (Future<Score> future : futures) {
        scores.add(future.get());
        System.out.println(market.name() + ", seed " + scores.size() + ": " + future.get());
      }
      return scores;
    } finally {
      threads.shutdownNow();
    }
  }
}
