/** Environments of Gymnasium, in Python processes that Java starts. */
module io.quantail.gymnasium {
  requires transitive io.quantail.run;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;

  exports io.quantail.gymnasium;

  // Records of settings are read and written by reflection.
  opens io.quantail.gymnasium to
      com.fasterxml.jackson.databind,
      io.quantail.core,
      io.quantail.run;

  provides io.quantail.config.ConfigExtension with
      io.quantail.gymnasium.GymnasiumExtension;
  provides io.quantail.env.EnvironmentProvider with
      io.quantail.gymnasium.GymnasiumProvider;
}
