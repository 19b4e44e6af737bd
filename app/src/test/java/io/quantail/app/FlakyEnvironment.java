package io.quantail.app;

import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** A coin that is lost now and then, always at the same tosses of the same stream. */
public class FlakyEnvironment extends CoinEnvironment {
  private final double odds;
  private RandomStream random;

  public FlakyEnvironment() {
    this(0.02);
  }

  FlakyEnvironment(double odds) {
    this.odds = odds;
  }

  /** Fails too seldom for a first iteration, but surely in a hundred of them. */
  public static final class Seldom extends FlakyEnvironment {
    public Seldom() {
      super(0.001);
    }
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    return super.reset(stream);
  }

  @Override
  public Step step(float[] action) {
    if (random.nextDouble() < odds) {
      throw new IllegalStateException("lost the coin");
    }
    return super.step(action);
  }
}
