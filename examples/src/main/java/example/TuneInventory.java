package example;

import io.quantail.Training;
import io.quantail.study.Range;
import io.quantail.study.Study;
import io.quantail.study.StudyResult;
import java.nio.file.Path;

/** Looks for good settings of the inventory agent, and trains only the best ones to the end. */
public final class TuneInventory {
  private TuneInventory() {}

  /**
   * Runs the study.
   *
   * @param arguments steps of an agent, and the directory of the study, which goes on if it exists
   */
  public static void main(String... arguments) {
    long steps = Long.parseLong(arguments[0]);
    StudyResult result =
        Study.of(Training.of(Inventory::new).episodeLimit(50).steps(steps))
            .vary("optimizer.learningRate", Range.log(1e-4, 1e-2))
            .vary("rollout.gamma", Range.of(0.9, 0.95, 0.99))
            .seeds(1, 2)
            .trials(16)
            .halving()
            .directory(Path.of(arguments[1]))
            .run();
    System.out.println(result);
    for (StudyResult.Trial trial : result.trials()) {
      System.out.printf("%,9d steps  %6.2f  %s%n", trial.steps(), trial.median(), trial.settings());
    }
    result.agent().save(Path.of(arguments[1], "agent"));
  }
}
