package io.quantail.run.health;

import io.quantail.network.ParameterLayout.Linear;
import io.quantail.network.Parameters;
import io.quantail.train.Trainer;
import java.util.Arrays;

/** What is done to a trainer's parameters to make something go wrong. */
final class Tampering {
  private Tampering() {}

  static void misplaceFirstCritic(Trainer trainer) {
    Linear head = trainer.agent().network().valueHeads().get(0);
    shift(trainer.model().parameters(), head.bias(), 1e5f);
  }

  static void misplaceMeans(Trainer trainer) {
    Parameters parameters = trainer.model().parameters();
    for (int slot = 0; slot < parameters.slots().size(); slot++) {
      if (parameters.slots().get(slot).name().matches("critic\\.mean\\d\\.bias")) {
        shift(parameters, slot, 1);
      }
    }
  }

  static void exaggerateMeans(Trainer trainer) {
    Parameters parameters = trainer.model().parameters();
    for (Parameters.Slot slot : parameters.slots()) {
      if (slot.name().matches("critic\\.mean\\d\\.weight")) {
        Parameters.Range range = parameters.range(slot.name());
        parameters.change(
            values -> {
              for (int i = (int) range.offset(); i < range.offset() + range.count(); i++) {
                values[i] *= 1e4f;
              }
            });
      }
    }
  }

  static void copyFirstCritic(Trainer trainer) {
    Parameters parameters = trainer.model().parameters();
    Linear first = trainer.agent().network().valueHeads().get(0);
    Linear second = trainer.agent().network().valueHeads().get(1);
    copy(parameters, first.weight(), second.weight());
    copy(parameters, first.bias(), second.bias());
  }

  private static void copy(Parameters parameters, int from, int to) {
    Parameters.Range source = parameters.range(from);
    Parameters.Range target = parameters.range(to);
    parameters.change(
        values ->
            System.arraycopy(
                values,
                (int) source.offset(),
                values,
                (int) target.offset(),
                (int) source.count()));
  }

  /** Five quantiles about 0 in every state, whatever the network computes below the heads. */
  static void predictQuantiles(Trainer trainer, float width) {
    Parameters parameters = trainer.model().parameters();
    for (Linear head : trainer.agent().network().valueHeads()) {
      Parameters.Range weights = parameters.range(head.weight());
      Parameters.Range biases = parameters.range(head.bias());
      parameters.change(
          values -> {
            int from = (int) weights.offset();
            Arrays.fill(values, from, from + (int) weights.count(), 0);
            for (int i = 0; i < 5; i++) {
              values[(int) biases.offset() + i] = width * (i - 2);
            }
          });
    }
  }

  static void openAllGates(Trainer trainer) {
    Parameters parameters = trainer.model().parameters();
    for (int slot = 0; slot < parameters.slots().size(); slot++) {
      String name = parameters.slots().get(slot).name();
      if (name.contains("lstm") && name.contains("bias")) {
        shift(parameters, slot, 20);
      }
    }
  }

  private static void shift(Parameters parameters, int slot, float distance) {
    Parameters.Range range = parameters.range(slot);
    parameters.change(
        values -> {
          for (int i = (int) range.offset(); i < range.offset() + range.count(); i++) {
            values[i] += distance;
          }
        });
  }
}
