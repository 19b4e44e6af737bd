package io.quantail.task;

/**
 * Opens a cluster. Found by {@link java.util.ServiceLoader}: a distribution without an engine for
 * clusters has none.
 */
public interface ClusterProvider {
  /**
   * Returns when the cluster has shown that it can work.
   *
   * @throws ClusterException if it cannot be reached or used
   */
  TaskRunner open(ClusterSettings settings);
}
