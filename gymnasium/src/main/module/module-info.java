/** Environments of Gymnasium, in Python processes that Java starts. */
module io.quantail.gymnasium {
  requires transitive io.quantail.run;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;

  exports io.quantail.gymnasium;
}
