package io.quantail.audit;

import io.quantail.network.Parameters;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tensors of a network as parts of its flat parameter vector. */
final class Tensors {
  private Tensors() {}

  /** The part of the network that a tensor belongs to. */
  static String block(Parameters.Slot slot) {
    String[] parts = slot.name().split("\\.");
    return parts[0] + "." + parts[1];
  }

  /** Indices of at most so many parameters of some tensors, evenly spaced. */
  static int[] parameters(List<Parameters.Slot> slots, int most) {
    int[] all =
        slots.stream()
            .flatMapToInt(
                slot -> IntStream.range((int) slot.offset(), (int) (slot.offset() + slot.count())))
            .toArray();
    int count = Math.min(most, all.length);
    int[] chosen = new int[count];
    Arrays.setAll(chosen, i -> all[(int) ((2L * i + 1) * all.length / (2L * count))]);
    return chosen;
  }

  static double[] at(double[] values, int[] indices) {
    return Arrays.stream(indices).mapToDouble(index -> values[index]).toArray();
  }

  /** A number for each block as text. */
  static String described(Map<String, Double> blocks) {
    return blocks.entrySet().stream()
        .map(entry -> entry.getKey() + " " + AuditOutcome.number(entry.getValue()))
        .collect(Collectors.joining(", "));
  }
}
