package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule.Effect;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The effect of each setting on the trained parameters.
 *
 * <p>Every setting of the learner is changed alone, and a network of eight units is trained for a
 * few updates. A setting that leaves all parameters bit-identical had no effect there and is
 * reported as idle; it may still act later or under rare conditions.
 */
final class SettingsChecks {
  private static final int UPDATES = 2;

  private SettingsChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "settings",
        check("neutral-settings", "ENV-3", SettingsChecks::neutral)
            .compares("parameters after changes of settings that must have no effect")
            .exercises("Trainer WorkerPool SettingRules"),
        check("idle-settings", "AUDIT-1", SettingsChecks::idle)
            .compares(
                "parameters after two updates of a network of eight units with those after one"
                    + " setting was changed")
            .exercises("Trainer"));
  }

  /** The tiny settings, with the early stop as configured. */
  private static RunConfig base(AuditSubject subject) {
    return SampleConfig.with(
        subject.tiny().config(),
        "ppo.epochs=1",
        "ppo.kl.earlyStop=" + subject.config().ppo().kl().earlyStop());
  }

  private static float[] learnt(AuditSubject subject, RunConfig config) {
    try (Trainer trainer = new Trainer(config, subject.tiny().factory())) {
      for (int i = 0; i < UPDATES; i++) {
        trainer.iterate();
      }
      return trainer.model().parameters().values().clone();
    }
  }

  private static AuditOutcome neutral(AuditSubject subject) {
    RunConfig base = base(subject);
    float[] expected = learnt(subject, base);
    List<String> neutral = new ArrayList<>();
    List<String> acting = new ArrayList<>();
    for (SettingChange change : SettingChange.all(base, Effect.NONE)) {
      neutral.add(change.path());
      RunConfig changed = change.apply(base).orElseThrow();
      if (!Arrays.equals(expected, learnt(subject, changed))) {
        acting.add(change.path());
      }
    }
    return AuditOutcome.of(
        acting.isEmpty(),
        String.format(Locale.ROOT, "%d of %d act", acting.size(), neutral.size()),
        "0",
        acting.isEmpty() ? String.join(", ", neutral) : "acting: " + acting);
  }

  private static AuditOutcome idle(AuditSubject subject) {
    RunConfig base = base(subject);
    float[] expected = learnt(subject, base);
    List<String> idle = new ArrayList<>();
    List<String> bound = new ArrayList<>();
    int acting = 0;
    for (SettingChange change : SettingChange.all(base, Effect.LEARNING)) {
      Optional<float[]> other = change.apply(base).flatMap(changed -> tried(subject, changed));
      if (other.isEmpty()) {
        bound.add(change.path());
      } else if (Arrays.equals(expected, other.get())) {
        idle.add(change.path());
      } else {
        acting++;
      }
    }
    return AuditOutcome.info(
        String.format(Locale.ROOT, "%d act, %d idle", acting, idle.size()),
        "no effect within two small updates: %s; not to be changed alone: %s"
            .formatted(idle, bound));
  }

  /** Some combinations are refused only when a run starts. */
  private static Optional<float[]> tried(AuditSubject subject, RunConfig changed) {
    try {
      return Optional.of(learnt(subject, changed));
    } catch (IllegalArgumentException | ConfigException refused) {
      return Optional.empty();
    }
  }
}
