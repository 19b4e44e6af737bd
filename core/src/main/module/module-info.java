/**
 * The learner. Users meet its environments; the other packages are for the modules of this project.
 */
module io.quantail.core {
  requires io.quantail.simd;

  exports io.quantail.env;
  exports io.quantail.env.check;
  exports io.quantail.env.tasks;
  exports io.quantail.error;
  exports io.quantail.random;
  exports io.quantail.calibration to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.config to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.gymnasium,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.env.vector to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.gymnasium,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.io to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.gymnasium,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.kernel to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.loss to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.math to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.metrics to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.model to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.network to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.optim to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.parallel to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.ppo to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.risk to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.robust to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.rollout to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.state to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.telemetry to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.train to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;
  exports io.quantail.value to
      io.quantail.app,
      io.quantail.audit,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market,
      io.quantail.run,
      io.quantail.study;

  // Records of settings and results are read and written by reflection.
  opens io.quantail.calibration to
      com.fasterxml.jackson.databind;
  opens io.quantail.train to
      com.fasterxml.jackson.databind;
  opens io.quantail.config to
      com.fasterxml.jackson.databind;
  opens io.quantail.env.vector to
      com.fasterxml.jackson.databind;

  uses io.quantail.config.ConfigExtension;
  uses io.quantail.env.EnvironmentProvider;
  uses io.quantail.train.TrainingObserverProvider;
}
