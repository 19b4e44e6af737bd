package io.quantail.config;

/** What happens when an environment breaks its contract. */
public enum FaultPolicy {
  /** The run stops and reports the environment and step. */
  FAIL,
  /** That environment alone is replaced by a new one. */
  RESTART
}
