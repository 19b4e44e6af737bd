package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Recall of the suit that was shown {@code lag} steps ago, while shuffled cards are dealt one per
 * step: needs a recurrent state that is written and read on every step.
 *
 * <p>Observation: the suit of the newest card, one-hot. As soon as a card lies {@code lag} steps
 * back, naming its suit earns {@code 1 / (cards - 1 - lag)} and another suit loses as much, so that
 * the return is in [-1, 1]. The episode terminates when the last card is dealt. Guessing returns
 * -0.5 in expectation.
 *
 * <p>See: Morad et al., "POPGym: Benchmarking Partially Observable Reinforcement Learning", ICLR
 * 2023, RepeatPrevious: easy with 52 cards and lag 3, medium with 104 and 31, hard with 156 and 63
 * (its parameter k counts the newest card too). {@code TaskVectors} pins it to POPGym.
 */
final class RepeatPreviousSuit implements Environment {
  private static final ActionSpace.Discrete ACTIONS =
      new ActionSpace.Discrete(CardFace.SUIT.count());

  private final int cards;
  private final int lag;
  private int[] suits;
  private int dealt;

  /**
   * @param cards cards in the deck, a multiple of 4
   * @param lag steps between a card and the question for it, from 0 to {@code cards - 2}
   */
  RepeatPreviousSuit(int cards, int lag) {
    this.cards = cards;
    this.lag = lag;
    this.suits = new int[cards];
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(ACTIONS.count());
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    suits = CardFace.SUIT.shuffled(random, cards);
    dealt = 1;
    return observation();
  }

  @Override
  public Step step(Action action) {
    int answer = action.index();
    double reward = 0;
    if (dealt > lag) {
      boolean right = answer == suits[dealt - 1 - lag];
      reward = (right ? 1.0 : -1.0) / (cards - 1 - lag);
    }
    dealt++;
    return Step.of(observation()).reward(reward).terminated(dealt == cards);
  }

  /** The suits in the order of dealing, the number of cards dealt. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(
        IntStream.concat(Arrays.stream(suits), IntStream.of(dealt)).asDoubleStream().toArray());
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, cards + 1, this);
    suits = Arrays.stream(state, 0, cards).mapToInt(suit -> (int) suit).toArray();
    dealt = (int) state[cards];
  }

  private float[] observation() {
    float[] oneHot = new float[ACTIONS.count()];
    oneHot[suits[dealt - 1]] = 1;
    return oneHot;
  }
}
