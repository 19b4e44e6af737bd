package io.quantail.app;

import io.quantail.market.split.Split;
import java.util.Locale;

/** The bars that an agent is judged on. */
enum MarketPart {
  TRAIN(Split.TRAIN, "On the bars it was trained on", "-train"),
  VALIDATION(Split.VALIDATION, "On the validation bars", "-validation"),
  TEST(Split.TEST, "Out of sample", ""),
  /** Bars that are not the run's own, all of them. */
  DATA(Split.TEST, "On these bars", "-data");

  private final Split split;
  private final String phrase;
  private final String suffix;

  MarketPart(Split split, String phrase, String suffix) {
    this.split = split;
    this.phrase = phrase;
    this.suffix = suffix;
  }

  static MarketPart of(Split split) {
    return valueOf(split.name());
  }

  Split split() {
    return split;
  }

  /** How a sentence about it begins. */
  String phrase() {
    return phrase;
  }

  /** How they are called before the word bars. */
  String bars() {
    return this == DATA ? "given" : name().toLowerCase(Locale.ROOT);
  }

  /** Sets the files of different parts apart. */
  String suffix() {
    return suffix;
  }
}
