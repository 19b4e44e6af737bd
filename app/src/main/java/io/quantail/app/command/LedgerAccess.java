package io.quantail.app.command;

import io.quantail.app.console.Messages;
import io.quantail.app.runs.StudyTrials;
import io.quantail.config.RunConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.ledger.Ledger;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.ledger.TrialRecorder;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.EvaluationResult;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Records evaluations of this command in the ledger; its warnings go to standard error. */
final class LedgerAccess {
  private LedgerAccess() {}

  static Ledger ledger(CommandSpec spec) {
    return Ledger.open(Messages.of(spec)::note);
  }

  static TrialRecorder recorder(CommandSpec spec) {
    return new TrialRecorder(ledger(spec), Clock.systemUTC());
  }

  /** Records the evaluation of a run. */
  static void record(CommandSpec spec, Path run, EvaluationResult result) {
    if (result instanceof MarketEvaluationResult market) {
      recorder(spec).record(run, market.fileSuffix());
    }
  }

  /** Records the evaluation at the end of a training, before its report is written. */
  static RunListener listener(CommandSpec spec) {
    return new RunListener() {
      private @Nullable RunDirectory directory;

      @Override
      public void onStart(TrainingRun run) {
        directory = run.directory();
      }

      @Override
      public RunResult onFinish(RunResult result) {
        Path run = Objects.requireNonNull(directory).path();
        record(spec, run, Objects.requireNonNull(result.evaluation()));
        return result;
      }
    };
  }

  /**
   * Records the agents of a sweep.
   *
   * @param runs of the agents that were trained
   * @param others runs that count, but are not a part of the sweep's choice
   * @return null if the agents are not on a market
   */
  static @Nullable StudyEvidence sweep(
      CommandSpec spec, RunConfig config, List<Path> runs, List<Path> others, Path directory) {
    if (!MarketProvider.provides(config)) {
      return null;
    }
    TrialRecorder recorder = recorder(spec);
    recorder.recordAll(runs, StudyTrials.VALIDATION, null);
    recorder.recordAll(others, StudyTrials.VALIDATION, null);
    return recorder
        .studyIn(directory, StudyTrials.read(StudyTrials.each(runs), StudyTrials.VALIDATION))
        .orElse(null);
  }

  /**
   * Records agents of folds, each with the bars it was tested on; those of a seed are one trial.
   *
   * @return the number of evaluations on these bars; null if it is not known
   */
  static @Nullable Integer folds(CommandSpec spec, RunConfig config, List<Path> folds) {
    TrialRecorder recorder = recorder(spec);
    recorder.recordAll(folds, "", config);
    return recorder.count(folds, "");
  }

  /** Records the agents of a walk-forward study, whose folds are one trial per seed. */
  static @Nullable StudyEvidence walkForward(
      CommandSpec spec, RunConfig config, List<Path> folds, Path directory) {
    TrialRecorder recorder = recorder(spec);
    recorder.recordAll(folds, "", config);
    return recorder
        .studyIn(directory, StudyTrials.read(StudyTrials.walkForward("", folds), ""))
        .orElse(null);
  }
}
