package io.quantail.cluster;

import io.quantail.study.task.ClusterAddress;
import io.quantail.study.task.ClusterException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Whether a master listens. */
final class Reach {
  private static final int CONNECT_MILLIS = 3000;

  private Reach() {}

  /** Refuses at once when no master listens; Spark would try for a minute. */
  static void require(ClusterAddress cluster) {
    List<String> failures = new ArrayList<>();
    for (InetSocketAddress master : cluster.masters()) {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(master.getHostString(), master.getPort()), CONNECT_MILLIS);
        return;
      } catch (IOException failure) {
        failures.add(failure.toString());
      }
    }
    if (cluster.isStandalone()) {
      throw new ClusterException(
          "cannot reach the Spark master %s (%s); check the address, that the master runs, and that"
                  .formatted(cluster.text(), String.join("; ", failures))
              + " no firewall is between");
    }
  }
}
