import io.quantail.Agent;
import io.quantail.Settings;
import io.quantail.Training;
import io.quantail.TrainingResult;
import java.nio.file.Path;

/**
 * Trains with a file of settings and prints seconds and fingerprint of the agent; with one argument,
 * a run, the fingerprint alone. See tools/flag-speed.
 */
final class FlagSpeed {
  public static void main(String[] arguments) {
    if (arguments.length == 1) {
      System.out.println(Agent.load(Path.of(arguments[0])).provenance().fingerprint());
      return;
    }
    Settings settings =
        Settings.load(Path.of(arguments[0]))
            .with("training.steps", Long.parseLong(arguments[1]))
            .with("training.threads", Integer.parseInt(arguments[2]));
    TrainingResult result = Training.from(settings).run();
    System.out.println(
        result.time().toMillis() / 1e3 + " " + result.agent().provenance().fingerprint());
  }
}
