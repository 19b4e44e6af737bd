package io.quantail.app;

import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** A coin environment that fails now and then, deterministically for a given random stream. */
public class FlakyEnvironment extends CoinEnvironment {
  private final double odds;
  private RandomStream random;

  public FlakyEnvironment() {
    this(0.02);
  }

  FlakyEnvironment(double odds) {
    this.odds = odds;
  }

  /** So rare that the first iteration succeeds and a hundred iterations do not. */
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
  public Step step(Action action) {
    if (random.nextDouble() < odds) {
      throw new IllegalStateException("lost the coin");
    }
    return super.step(action);
  }
}
