package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * The game of finding pairs: cards lie face down, each action turns one over, and two equal cards
 * in a row stay face up. Needs a recurrent state that remembers which card lies where.
 *
 * <p>Observation: for each card its face, one-hot, or zeros if it lies face down; the cards turned
 * over by this attempt are shown before they are turned back. A pair earns {@code 2 / cards}, a
 * failed attempt loses {@code 1 / (2 cards)} for each card turned over. A card that is face up
 * already ends the attempt as a failure. It terminates when all cards are face up; the registered
 * tasks add a limit of {@code 2 cards} steps, so that the return is in [-1, 1].
 *
 * <p>See: Morad et al., "POPGym: Benchmarking Partially Observable Reinforcement Learning", ICLR
 * 2023, Concentration: easy with the colours of 52 cards, medium with those of 104, hard with the
 * ranks of 52. {@code TaskVectors} pins it to POPGym.
 */
final class Concentration implements Environment {
  private static final int NONE = -1;

  private final int cards;
  private final CardFace face;
  private final ActionSpace.Discrete actions;
  private final boolean[] faceUp;
  private int[] faces;
  private int first = NONE;

  /**
   * @param cards cards on the table, with an even number of each face
   * @param face what makes two cards equal
   */
  Concentration(int cards, CardFace face) {
    this.cards = cards;
    this.face = face;
    this.actions = new ActionSpace.Discrete(cards);
    this.faceUp = new boolean[cards];
    this.faces = new int[cards];
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(cards * face.count());
  }

  @Override
  public ActionSpace actionSpace() {
    return actions;
  }

  @Override
  public float[] reset(RandomStream random) {
    faces = face.shuffled(random, cards);
    Arrays.fill(faceUp, false);
    first = NONE;
    return new float[cards * face.count()];
  }

  @Override
  public Step step(Action action) {
    int card = action.index();
    float[] observation = observation(card);
    int before = first;
    first = NONE;
    if (faceUp[card]) {
      return Step.of(observation).reward((before == NONE ? -0.5 : -1.0) / cards);
    }
    if (before == NONE) {
      first = card;
      return Step.of(observation);
    }
    if (before == card || faces[before] != faces[card]) {
      return Step.of(observation).reward(-1.0 / cards);
    }
    faceUp[before] = true;
    faceUp[card] = true;
    double reward = 2.0 / cards;
    return Step.of(observation).reward(reward).terminated(allUp());
  }

  /** The faces by place, whether each is up, the card turned over by a running attempt or -1. */
  @Override
  public double[] snapshot() {
    double[] state = new double[2 * cards + 1];
    for (int card = 0; card < cards; card++) {
      state[card] = faces[card];
      state[cards + card] = faceUp[card] ? 1 : 0;
    }
    state[2 * cards] = first;
    return TaskSnapshot.of(state);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 2 * cards + 1, this);
    for (int card = 0; card < cards; card++) {
      faces[card] = (int) state[card];
      faceUp[card] = state[cards + card] != 0;
    }
    first = (int) state[2 * cards];
  }

  private float[] observation(int turned) {
    float[] observation = new float[cards * face.count()];
    for (int card = 0; card < cards; card++) {
      if (faceUp[card] || card == turned || card == first) {
        observation[card * face.count() + faces[card]] = 1;
      }
    }
    return observation;
  }

  private boolean allUp() {
    for (boolean up : faceUp) {
      if (!up) {
        return false;
      }
    }
    return true;
  }
}
