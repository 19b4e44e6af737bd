package io.quantail.config;

/** The nonlinearity of feed-forward layers; setting {@code network.activation}. */
public enum Activation {
  SILU,
  RELU,
  TANH,
  LEAKY_RELU,
  ELU,
  GELU
}
