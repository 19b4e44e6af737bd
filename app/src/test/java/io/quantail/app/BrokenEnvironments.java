package io.quantail.app;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** What users' environments get wrong, one mistake each. */
public final class BrokenEnvironments {
  private static final int BAD_STEP = 3;

  private BrokenEnvironments() {}

  /** The first sight of an episode is not a number. */
  public static final class NanAtReset extends CoinEnvironment {
    @Override
    public float[] reset(RandomStream stream) {
      return new float[] {Float.NaN};
    }
  }

  /** An environment that goes wrong in its third step. */
  public abstract static class WrongStep extends CoinEnvironment {
    private int steps;

    abstract Step wrong(Step right);

    @Override
    public final Step step(Action action) {
      Step right = super.step(action);
      return ++steps == BAD_STEP ? wrong(right) : right;
    }
  }

  /** Sees what is not a number. */
  public static final class NanAtStep extends WrongStep {
    @Override
    Step wrong(Step right) {
      return right.withObservation(new float[] {Float.NaN});
    }
  }

  /** Pays what is not a number. */
  public static final class NanReward extends WrongStep {
    @Override
    Step wrong(Step right) {
      return Step.of(right.observation()).reward(Double.NaN);
    }
  }

  /** Sees two numbers instead of one. */
  public static final class WrongLength extends WrongStep {
    @Override
    Step wrong(Step right) {
      return right.withObservation(new float[] {1, 2});
    }
  }

  /** Throws, with a message of two lines. */
  public static final class Throwing extends WrongStep {
    @Override
    Step wrong(Step right) {
      throw new IllegalStateException("lost\nthe coin");
    }
  }

  /** Cannot be made. */
  public static final class ThrowingConstructor extends CoinEnvironment {
    public ThrowingConstructor() {
      throw new IllegalStateException("no coin\nat hand");
    }
  }

  /** Has no actions. */
  public static final class NullActions extends CoinEnvironment {
    @Override
    public ActionSpace actionSpace() {
      return null;
    }
  }

  /** Has actions without bounds. */
  public static final class UnboundedActions extends CoinEnvironment {
    @Override
    public ActionSpace actionSpace() {
      return new ActionSpace.Box(
          new float[] {Float.NEGATIVE_INFINITY}, new float[] {Float.POSITIVE_INFINITY});
    }
  }

  /** Has nothing to choose from. */
  public static final class OneAction extends CoinEnvironment {
    @Override
    public ActionSpace actionSpace() {
      return new ActionSpace.Discrete(1);
    }
  }

  /** Wants a parameter. */
  public static final class NoConstructor extends CoinEnvironment {
    public NoConstructor(int coins) {
      throw new AssertionError("never made, not even of " + coins);
    }
  }
}
