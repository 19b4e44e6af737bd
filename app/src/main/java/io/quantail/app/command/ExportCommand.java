package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.WrappedText;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.export.ExportedAgent;
import io.quantail.export.OnnxExporter;
import io.quantail.export.ReferenceRows;
import io.quantail.run.RunReader;
import io.quantail.run.SpaceFile;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import io.quantail.run.io.Json;
import io.quantail.run.snapshot.Manifest;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a trained agent as a file for other programs. */
@Command(
    name = "export",
    description = {
      "Writes a trained agent as an ONNX model.",
      "Raw observations and recurrent state in; actions, their distribution, the "
          + "forecast of the return and the next recurrent state out."
    },
    mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
  private static final int USUAL_STEPS = 1000;
  private static final int MOST_STEPS = 1_000_000;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(names = "--onnx", paramLabel = "FILE", description = "File of the model.")
  private Path onnx;

  @Option(
      names = "--rows",
      paramLabel = "FILE",
      description =
          "File of reference rows, to check the model where it is used: episodes that the agent"
              + " plays, with what it computes in each step, one line of JSON each.")
  private Path rows;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Number of reference rows; default: " + USUAL_STEPS + ".")
  private Integer steps;

  @Option(names = "--force", description = "Replace files that exist.")
  private boolean force;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    requireOptions();
    RunReader run = RunReader.open(runDirectory, Messages.of(spec)::note);
    ExportedAgent agent = agent(run);
    ObjectNode result = Json.MAPPER.createObjectNode();
    if (onnx != null) {
      result.setAll(Json.tree(OnnxExporter.write(agent, onnx)));
    }
    if (rows != null) {
      int count = steps == null ? USUAL_STEPS : steps;
      ReferenceRows.write(agent, environments(run), count, rows);
      result.put("rows", rows.toString()).put("steps", count);
    }
    print(result);
    return ExitCode.OK;
  }

  private ExportedAgent agent(RunReader run) {
    Manifest manifest = run.snapshot().manifest();
    return new ExportedAgent(
        run.config(),
        RunReader.spaces(runDirectory).orElseGet(() -> spaces(run)),
        run.snapshot().state().child("agent"),
        run.scale(),
        ExportedAgent.provenance(run.config(), manifest.info(), manifest.sha256()));
  }

  /** The spaces of the environments, for runs of older versions, which have no file of them. */
  private SpaceFile spaces(RunReader run) {
    try (Environment sample = environments(run).create(0)) {
      return new SpaceFile(sample.observationSpace(), sample.actionSpace());
    }
  }

  private EnvironmentFactory environments(RunReader run) {
    return EvaluationProtocolProvider.find(run.config())
        .reopen(run.config(), runDirectory, DataPart.TEST, run.config().seed())
        .environments();
  }

  private void print(ObjectNode result) throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(result));
      return;
    }
    if (onnx != null) {
      output.print(
          WrappedText.of(
              String.format(
                  Locale.ROOT,
                  "%s: ONNX model, opset %d, %,d bytes",
                  onnx,
                  result.get("opset").intValue(),
                  result.get("bytes").longValue()),
              "",
              "  "));
      result.get("inputs").forEach(value -> print(output, "  input   ", value.textValue()));
      result.get("outputs").forEach(value -> print(output, "  output  ", value.textValue()));
    }
    if (rows != null) {
      output.print(
          WrappedText.of(
              String.format(
                  Locale.ROOT, "%s: %,d reference rows", rows, result.get("steps").intValue()),
              "",
              "  "));
    }
    output.flush();
  }

  private static void print(PrintWriter output, String label, String value) {
    output.print(WrappedText.of(value, label, " ".repeat(label.length())));
  }

  private void requireOptions() {
    if (onnx == null && rows == null) {
      throw new UsageException("nothing to write; name the file of the model with --onnx");
    }
    if (rows == null && steps != null) {
      throw new UsageException(
          "--steps is the number of reference rows; name their file with --rows");
    }
    if (steps != null && (steps < 1 || steps > MOST_STEPS)) {
      throw new UsageException(
          String.format(Locale.ROOT, "--steps must be from 1 to %d, was %d", MOST_STEPS, steps));
    }
    if (onnx != null && onnx.equals(rows)) {
      throw new UsageException("--onnx and --rows are the same file, " + onnx + "; name two files");
    }
    requireReplaceable(onnx);
    requireReplaceable(rows);
  }

  private void requireReplaceable(Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new UsageException(
          "%s cannot be written: there is no directory %s".formatted(file, directory));
    }
    if (Files.isDirectory(file)) {
      throw new UsageException(file + " is a directory; name a file");
    }
    if (!force && Files.exists(file)) {
      throw new UsageException(file + " exists; choose another name, or replace it with --force");
    }
  }
}
