package io.quantail.study.task;

/**
 * Opens clusters. Found by {@link java.util.ServiceLoader}; a distribution without Spark has no
 * provider.
 */
public interface ClusterProvider {
  /**
   * Opens a cluster and returns when a first task has run on it.
   *
   * @throws ClusterException if it cannot be reached or used
   */
  TaskRunner open(ClusterSettings settings);
}
