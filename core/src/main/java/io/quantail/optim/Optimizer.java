package io.quantail.optim;

import io.quantail.state.StateMap;
import io.quantail.tensor.Tensor;

/** Changes one flat parameter vector in place, given its gradient. */
public interface Optimizer extends AutoCloseable {

  /** One step; the gradient is finite and is not changed. Runs inside the caller's scope. */
  void step(Tensor parameters, Tensor gradient, double learningRate);

  /** Hands over everything that moves. */
  void save(StateMap state);

  /** Takes back what {@link #save} handed over. */
  void load(StateMap state);

  @Override
  void close();
}
