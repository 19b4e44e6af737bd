package io.quantail.run.evaluation;

/** The part of a run's data that agents are evaluated on. */
public enum DataPart {
  /** Data that agents were trained on. */
  TRAIN,
  /** Data for choosing settings. */
  VALIDATION,
  /** Data that neither training nor the choice of settings has used. */
  TEST,
  /** Data that do not belong to the run, all of them. */
  DATA
}
