/** Every formula derived again and compared with the code that trains. */
module io.quantail.audit {
  requires transitive io.quantail.run;

  exports io.quantail.audit;
  exports io.quantail.audit.reference to
      io.quantail.app,
      io.quantail.bench,
      io.quantail.cluster,
      io.quantail.market;

  // Records of settings and results are read and written by reflection.
  opens io.quantail.audit to
      com.fasterxml.jackson.databind;

  uses io.quantail.audit.AuditProvider;
}
