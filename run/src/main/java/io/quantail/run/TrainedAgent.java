package io.quantail.run;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.config.SettingNames;
import io.quantail.config.TrainingConfig;
import io.quantail.config.TrainingConfig.Keep;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which agent of a training is evaluated, and why the training ended.
 *
 * @param keep setting {@code training.keep}, as it is written
 * @param update of the agent
 * @param updates of the training
 * @param ended why the training ended; null if it has not
 * @param validation its validation passes; null if there were none
 */
public record TrainedAgent(
    String keep,
    long update,
    long updates,
    @Nullable End ended,
    @Nullable ValidationHistory validation) {

  /** Reasons for the end of a training. */
  public enum End {
    /** All steps were done. */
    STEPS,
    /** {@code training.patience} validation passes in a row were not better than one before. */
    PATIENCE,
    /** The program that trains found the agent good enough. */
    ENOUGH;

    /** {@return the name in files} */
    @JsonValue
    public String written() {
      return SettingNames.written(this);
    }
  }

  /**
   * The agent of a training.
   *
   * @param updates that were done
   * @param allSteps whether all steps were done
   * @param validation passes so far
   */
  static TrainedAgent of(
      TrainingConfig config, long updates, boolean allSteps, ValidationHistory validation) {
    End patience = validation.exhausts(config.patience()) ? End.PATIENCE : null;
    boolean best = config.keep() == Keep.BEST_VALIDATION && validation.passes() > 0;
    return new TrainedAgent(
        SettingNames.written(config.keep()),
        best ? validation.bestUpdate() : updates,
        updates,
        allSteps ? End.STEPS : patience,
        validation.passes() == 0 ? null : validation);
  }

  /**
   * The same agent where the training ended for another reason.
   *
   * @param reason null keeps the present one
   */
  TrainedAgent endedBy(@Nullable End reason) {
    return reason == null || ended != null
        ? this
        : new TrainedAgent(keep, update, updates, reason, validation);
  }

  /** {@return how the agent was chosen: "agent of update 37, …"; empty if it is the last} */
  public Optional<String> choice() {
    return validation == null || !keep.equals(SettingNames.written(Keep.BEST_VALIDATION))
        ? Optional.empty()
        : Optional.of(choice(update, validation));
  }

  /**
   * The same for an agent of which the validation passes may not be known.
   *
   * @param passes null if they are not known, as without {@code metrics.csv}
   */
  static String choice(long update, @Nullable ValidationHistory passes) {
    return String.format(
        Locale.ROOT,
        "agent of update %d, the best of %s",
        update,
        passes == null ? "the validation passes" : count(passes.passes()));
  }

  /** {@return why the training ended early: "ended at update 52: …"; empty if it did not} */
  public Optional<String> earlyEnd() {
    return validation == null || ended != End.PATIENCE
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "ended at update %d: %s without a higher return",
                updates,
                count(validation.passesSinceBest())));
  }

  private static String count(int passes) {
    return passes + (passes == 1 ? " validation pass" : " validation passes");
  }
}
