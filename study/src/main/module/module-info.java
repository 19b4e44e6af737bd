/** Many trainings: sweeps and populations, in threads or on a cluster. */
module io.quantail.study {
  requires transitive io.quantail.run;
  requires com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;

  exports io.quantail.study;
  exports io.quantail.study.directory to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market;
  exports io.quantail.study.population to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market;
  exports io.quantail.study.sweep to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market;
  exports io.quantail.study.task to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market;

  // Records of settings and results are read and written by reflection.
  opens io.quantail.study.directory to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.study.population to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.study.sweep to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;
  opens io.quantail.study.task to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;

  provides io.quantail.config.ConfigExtension with
      io.quantail.study.population.PopulationExtension;
}
