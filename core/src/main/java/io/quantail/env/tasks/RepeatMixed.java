package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Recall of a symbol and a level shown one step ago: needs memory and a choice together with a
 * number.
 *
 * <p>Each of 16 steps shows one of four symbols as a one-hot vector and a level x, uniform on [-1,
 * 1], all independent. An action is a choice and a number u in [-1, 1]. From the second step on it
 * earns {@code (1 - (u - x)²) / 15} with the level x of the step before, if the choice names the
 * symbol of the step before, and else nothing. Every step masks one of the choices that would earn
 * nothing.
 *
 * <p>Return: at best 1. The right choices with the number 0 earn 2/3 in expectation, and the best
 * policy without memory earns 2/9, because one choice in three is right. {@code MaskedTasksTest}
 * pins all.
 */
final class RepeatMixed implements Environment {
  static final int SYMBOLS = 4;
  static final int LENGTH = 16;
  private static final ActionSpace ACTIONS =
      ActionSpace.product(ActionSpace.discrete(SYMBOLS), ActionSpace.box(-1, 1));

  private RandomStream random;
  private int elapsed;
  private int symbol;
  private double level;
  private int askedSymbol; // meaningless on the first step, where nothing is asked
  private double askedLevel;
  private int locked;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(SYMBOLS + 1);
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public void allowed(boolean[] mask) {
    mask[locked] = false;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    elapsed = 0;
    show();
    ask(random.nextInt(SYMBOLS), 0);
    return observation();
  }

  @Override
  public Step step(Action action) {
    boolean right = elapsed > 0 && action.index(0) == askedSymbol;
    double miss = action.value(1) - askedLevel;
    double reward = right ? (1 - miss * miss) / (LENGTH - 1) : 0;
    elapsed++;
    ask(symbol, level);
    show();
    return Step.of(observation()).reward(reward).terminated(elapsed == LENGTH);
  }

  private void show() {
    symbol = random.nextInt(SYMBOLS);
    level = (float) random.nextDouble(-1, 1);
  }

  /** Asks for a symbol and a level, and masks one of the other symbols. */
  private void ask(int newSymbol, double newLevel) {
    askedSymbol = newSymbol;
    askedLevel = newLevel;
    locked = (newSymbol + 1 + random.nextInt(SYMBOLS - 1)) % SYMBOLS;
  }

  private float[] observation() {
    float[] shown = new float[SYMBOLS + 1];
    shown[symbol] = 1;
    shown[SYMBOLS] = (float) level;
    return shown;
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(elapsed, symbol, level, askedSymbol, askedLevel, locked);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 6, this);
    random = stream;
    elapsed = (int) state[0];
    symbol = (int) state[1];
    level = state[2];
    askedSymbol = (int) state[3];
    askedLevel = state[4];
    locked = (int) state[5];
  }
}
