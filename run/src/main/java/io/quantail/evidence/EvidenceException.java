package io.quantail.evidence;

import java.util.Locale;

/**
 * Refuses to draw a conclusion from data that cannot support one. The message is a sentence for the
 * user: what is wrong, with its value, and what to do. The command exits with 3.
 */
public final class EvidenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why there is no answer. */
  public enum Kind {
    /** Fewer returns than {@link Returns#FEWEST}. */
    TOO_FEW_RETURNS,
    /** Returns without variation. */
    NO_SPREAD,
    /** A NaN or an infinity. */
    NON_FINITE_INPUT,
    /** A split has no bar left to train on. */
    NO_TRAINING_BARS,
    /** A comparison among trials needs at least two. */
    TOO_FEW_TRIALS,
    /** Series that must be of the same bars have different lengths. */
    UNEQUAL_LENGTHS,
    /** A forecast whose CVaR is not a loss: its depth and its score are undefined. */
    NO_TAIL_LOSS;

    /** The name in files, such as {@code too_few_returns}. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;

  /**
   * Refuses an answer.
   *
   * @param message what is wrong and what to do
   */
  public EvidenceException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Why there is no answer. */
  public Kind kind() {
    return kind;
  }
}
