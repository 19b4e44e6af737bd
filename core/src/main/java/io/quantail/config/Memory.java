package io.quantail.config;

/** What the network remembers between steps; setting {@code network.memory}. */
public enum Memory {
  /** A recurrent trunk of LSTM layers. */
  LSTM,
  /** A feed-forward trunk: each decision sees only its own observation. */
  NONE
}
