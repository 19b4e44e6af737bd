package io.quantail.market.walk;

import io.quantail.market.desk.Comparison;
import java.util.List;

/** Evaluation of an agent on a market, symbol by symbol. */
public interface EvaluatedSymbols {
  /** One comparison with the baselines per symbol. */
  List<Comparison> symbols();
}
