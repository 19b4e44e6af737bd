/** A training as a directory: the loop, its files, snapshots, metrics, health and evaluation. */
module io.quantail.run {
  requires transitive io.quantail.core;
  requires java.management;
  requires com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.yaml;
  requires org.yaml.snakeyaml;

  exports io.quantail;
  exports io.quantail.evidence to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.export to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run;
  exports io.quantail.run.evaluation to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run.health to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run.io to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.gymnasium,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run.metrics to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run.settings to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;
  exports io.quantail.run.snapshot to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.study;

  // Records of settings and results are read and written by reflection.
  opens io.quantail.evidence to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.export to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.run to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.run.io to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.run.health to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.run.evaluation to
      com.fasterxml.jackson.databind,
      io.quantail.core;
  opens io.quantail.run.snapshot to
      com.fasterxml.jackson.databind,
      io.quantail.core;

  uses io.quantail.config.ConfigExtension;
  uses io.quantail.run.RunEnvironments;
  uses io.quantail.run.RunListenerProvider;
  uses io.quantail.run.evaluation.EvaluationProtocolProvider;

  provides io.quantail.config.ConfigExtension with
      io.quantail.run.health.HealthExtension;
}
