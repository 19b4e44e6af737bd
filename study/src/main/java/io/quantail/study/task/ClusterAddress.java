package io.quantail.study.task;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a cluster: processes of this machine, a standalone cluster with its masters, or the
 * one for which {@code spark-submit} started this program.
 *
 * @param text as the user wrote it
 * @param processes of a cluster on this machine; 0 if it is elsewhere
 * @param masters of a standalone cluster, of which one is active; empty for the other kinds
 */
public record ClusterAddress(String text, int processes, List<InetSocketAddress> masters) {
  private static final String SUBMITTED = "spark-submit";
  private static final String STANDALONE = "spark://";
  private static final Pattern PROCESSES = Pattern.compile("local-cluster\\[([1-9]\\d{0,3})]");
  private static final Pattern ADDRESS = Pattern.compile("([^:,/\\s]+):(\\d{1,5})");
  private static final int LARGEST_PORT = 65535;

  public ClusterAddress {
    masters = List.copyOf(masters);
  }

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if it is none of the three kinds
   */
  public static ClusterAddress of(String text) {
    Matcher processes = PROCESSES.matcher(text);
    if (processes.matches()) {
      return new ClusterAddress(text, Integer.parseInt(processes.group(1)), List.of());
    }
    if (text.equals(SUBMITTED)) {
      return new ClusterAddress(text, 0, List.of());
    }
    if (!text.startsWith(STANDALONE)) {
      throw malformed(text);
    }
    return new ClusterAddress(text, 0, masters(text));
  }

  private static List<InetSocketAddress> masters(String text) {
    List<InetSocketAddress> masters = new ArrayList<>();
    for (String part : text.substring(STANDALONE.length()).split(",", -1)) {
      Matcher address = ADDRESS.matcher(part);
      if (!address.matches() || Integer.parseInt(address.group(2)) > LARGEST_PORT) {
        throw malformed(text);
      }
      int port = Integer.parseInt(address.group(2));
      masters.add(InetSocketAddress.createUnresolved(address.group(1), port));
    }
    return masters;
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "must be local, local-cluster[N], spark://HOST:PORT or spark-submit, was " + text);
  }

  public boolean isOnThisMachine() {
    return processes > 0;
  }

  public boolean isStandalone() {
    return !masters.isEmpty();
  }
}
