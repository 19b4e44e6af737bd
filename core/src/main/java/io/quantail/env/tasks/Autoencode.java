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
 * Shuffled cards are shown one per step; then their suits must be named in reverse order: needs a
 * recurrent state that holds the whole sequence.
 *
 * <p>Observation: a flag that is 1 once all cards have been shown, then the suit of the newest
 * card, one-hot, and zeros while the suits are named. A right suit earns {@code 1 / cards}, a wrong
 * one loses as much, so that the return is in [-1, 1]; actions before are ignored. The episode
 * terminates with the last answer, after {@code 2 cards - 1} steps. Guessing returns -0.5 in
 * expectation.
 *
 * <p>See: Morad et al., "POPGym: Benchmarking Partially Observable Reinforcement Learning", ICLR
 * 2023, Autoencode: easy with 52 cards, medium with 104, hard with 156. We depart from it in what
 * is shown while suits are named: POPGym shows the same card all the time. {@code TaskVectors} pins
 * it to POPGym.
 */
final class Autoencode implements Environment {
  private static final ActionSpace.Discrete ACTIONS =
      new ActionSpace.Discrete(CardFace.SUIT.count());

  private final int cards;
  private int[] suits;
  private int dealt;
  private int named;

  /**
   * @param cards cards in the deck, a multiple of 4
   */
  Autoencode(int cards) {
    this.cards = cards;
    this.suits = new int[cards];
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(1 + ACTIONS.count());
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    suits = CardFace.SUIT.shuffled(random, cards);
    dealt = 1;
    named = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    int answer = action.index();
    if (dealt < cards) {
      dealt++;
      return Step.of(observation());
    }
    double reward = (answer == suits[cards - 1 - named] ? 1.0 : -1.0) / cards;
    named++;
    return Step.of(observation()).reward(reward).terminated(named == cards);
  }

  /** The suits in the order of dealing, the numbers of cards dealt and of suits named. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(
        IntStream.concat(Arrays.stream(suits), IntStream.of(dealt, named))
            .asDoubleStream()
            .toArray());
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, cards + 2, this);
    suits = Arrays.stream(state, 0, cards).mapToInt(suit -> (int) suit).toArray();
    dealt = (int) state[cards];
    named = (int) state[cards + 1];
  }

  private float[] observation() {
    float[] observation = new float[1 + ACTIONS.count()];
    observation[0] = dealt == cards ? 1 : 0;
    if (named == 0) {
      observation[1 + suits[dealt - 1]] = 1;
    }
    return observation;
  }
}
