package io.quantail.env.tasks;

import io.quantail.random.RandomStream;

/**
 * What a card game looks at: the suit, the colour or the rank of a card.
 *
 * <p>Cards are numbered; each run of 52 is a pack of 13 ranks with four suits each, whose colours
 * alternate. A game with fewer cards takes the first ones.
 */
enum CardFace {
  SUIT(4),
  COLOUR(2),
  RANK(13);

  private static final int PACK = 52;

  private final int count;

  CardFace(int count) {
    this.count = count;
  }

  /** {@return the number of different faces} */
  int count() {
    return count;
  }

  /** {@return the faces of the cards 0 to {@code cards - 1} in random order} */
  int[] shuffled(RandomStream random, int cards) {
    int[] faces = random.permutation(cards);
    for (int i = 0; i < cards; i++) {
      faces[i] = this == RANK ? faces[i] % PACK / SUIT.count : faces[i] % count;
    }
    return faces;
  }
}
