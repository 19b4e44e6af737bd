package io.quantail.config;

/** The recurrent part of the network; setting {@code network.memory}. */
public enum Memory {
  /** A recurrent trunk of LSTM layers. */
  LSTM,
  /** A feed-forward trunk: each decision sees only its own observation. */
  NONE
}
