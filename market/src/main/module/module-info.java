/** Bars, features, execution, environments and evidence. */
module io.quantail.market {
  requires transitive io.quantail.study;
  requires transitive io.quantail.audit;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires java.sql;
  requires ta4j.core;

  exports io.quantail.market;
  exports io.quantail.market.data;
  exports io.quantail.market.audit to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.backtest to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.evaluation to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.execution to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.feature to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.forecast to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.layout to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.ledger to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.limits to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.performance to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.signal to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.split to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.stress to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.synthetic to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.trading to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;
  exports io.quantail.market.walkforward to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster;

  // Records of settings and results are read and written by reflection.
  opens io.quantail.market to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.backtest to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.data to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.evaluation to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.execution to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.feature to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.forecast to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.ledger to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.limits to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.performance to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.signal to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.split to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.stress to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.trading to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.market.walkforward to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;

  provides io.quantail.audit.AuditProvider with
      io.quantail.market.audit.MarketAuditProvider;
  provides io.quantail.config.ConfigExtension with
      io.quantail.market.MarketExtension;
  provides io.quantail.env.EnvironmentProvider with
      io.quantail.market.MarketProvider;
  provides io.quantail.run.RunEnvironments with
      io.quantail.market.MarketRunEnvironments;
  provides io.quantail.run.evaluation.EvaluationProtocolProvider with
      io.quantail.market.evaluation.MarketEvaluationProvider;
  provides io.quantail.train.TrainingObserverProvider with
      io.quantail.market.forecast.ForecastTrainingProvider;
}
