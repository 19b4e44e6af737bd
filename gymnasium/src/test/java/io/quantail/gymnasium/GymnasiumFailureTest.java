package io.quantail.gymnasium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedStep;
import io.quantail.env.EnvironmentException;
import io.quantail.testing.Requirement;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong in Python is one exception that names the cause. */
@Requirement("GYM-1")
class GymnasiumFailureTest {
  private static final Duration SHORT = Duration.ofSeconds(5);

  private static EnvironmentException failure(GymnasiumFactory factory) {
    try (BatchedEnvironment environment = factory.createBatch(2)) {
      BatchedStep rows = new BatchedStep(environment);
      environment.reset(0, 1, rows);
      environment.reset(1, 2, rows);
      environment.step(new float[2], rows);
      return catchThrowableOfType(
          EnvironmentException.class, () -> environment.step(new float[2], rows));
    }
  }

  private static GymnasiumFactory failing(String how) {
    return PythonInterpreter.task("Failing-v0").option("how", how);
  }

  @Test
  void shouldNameTheExceptionOfAnEnvironment() {
    assertThat(failure(failing("raise")))
        .hasMessageStartingWith("step of Gymnasium src.test.python.bridge_tasks:Failing-v0")
        .hasMessageContaining("failed: RuntimeError: the rope tore\n(in _fail, ")
        .extracting(EnvironmentException::kind)
        .isEqualTo(EnvironmentException.Kind.EXCEPTION);
  }

  @Test
  void shouldSayHowAProcessEndedAndWhatItPrintedLast() {
    assertThat(failure(failing("exit")))
        .hasMessageContaining("ended with exit code 7 during step; the last it printed:")
        .hasMessageEndingWith("\nabout to leave");
    assertThat(failure(failing("kill")))
        .hasMessageContaining("was killed by signal 9 during step; it printed nothing");
  }

  @Test
  void shouldEndAProcessThatHangs() {
    EnvironmentException thrown = failure(failing("hang").deadline(SHORT));
    assertThat(thrown)
        .hasMessageContaining("did not finish step within 5 s and was ended")
        .hasMessageEndingWith("I shall be a while");
    assertThat(thrown.kind()).isEqualTo(EnvironmentException.Kind.TIMEOUT);
  }

  @Test
  void shouldNotMindWhatAnEnvironmentPrints() {
    assertThat(failure(failing("print"))).isNull();
  }

  @Test
  void shouldStayFailedAfterAFailure() {
    try (BatchedEnvironment environment = failing("exit").createBatch(1)) {
      BatchedStep rows = new BatchedStep(environment);
      environment.reset(0, 1, rows);
      environment.step(new float[1], rows);
      EnvironmentException first =
          catchThrowableOfType(
              EnvironmentException.class, () -> environment.step(new float[1], rows));
      assertThatThrownBy(() -> environment.reset(0, 1, rows)).isSameAs(first);
    }
  }

  @Test
  void shouldRefuseUseAfterClose() {
    BatchedEnvironment environment = PythonInterpreter.task("Counting-v0").createBatch(1);
    BatchedStep rows = new BatchedStep(environment);
    environment.close();
    assertThatThrownBy(() -> environment.reset(0, 1, rows))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("was closed; make another");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NoSuchTask-v0    | NoSuchTask",
        "Pendulum-v7      | Environment version `v7` for environment `Pendulum` doesn't exist",
        "no_such_module:A | No module named 'no_such_module'",
      })
  void shouldSayThatThereIsNoSuchEnvironment(String id, String message) {
    PythonInterpreter.require();
    GymnasiumFactory factory =
        GymnasiumEnvironment.make(id.strip()).python(Path.of(PythonInterpreter.path()));
    assertThatThrownBy(() -> factory.createBatch(1))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageStartingWith("gymnasium.make_vec of Gymnasium " + id.strip() + " failed: ")
        .hasMessageContaining(message.strip());
  }

  @Test
  void shouldRefuseActionsWithoutBounds() {
    GymnasiumFactory unbounded = PythonInterpreter.task("Unbounded-v0");
    assertThatThrownBy(() -> unbounded.createBatch(1))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("has no finite bounds; use the wrapper RescaleAction or ClipAction");
  }

  @Test
  void shouldSayThatThereIsNoPython() {
    GymnasiumFactory factory =
        GymnasiumEnvironment.make("Pendulum-v1").python(Path.of("no/such/python"));
    assertThatThrownBy(() -> factory.createBatch(1))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageStartingWith("cannot start the Python interpreter no/such/python")
        .hasMessageContaining("install Python 3.10 or newer with gymnasium")
        .hasMessageContaining("QUANTAIL_PYTHON");
  }

  @Test
  void shouldSayThatGymnasiumIsMissing() {
    PythonInterpreter.require();
    GymnasiumFactory factory = GymnasiumEnvironment.make("Pendulum-v1");
    // Without the option -S, Python would look at the packages that are installed.
    assertThatThrownBy(() -> start((archive, socket) -> withoutPackages(factory, archive, socket)))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("numpy cannot be imported")
        .hasMessageContaining("-m pip install numpy");
  }

  private static List<String> withoutPackages(GymnasiumFactory factory, Path archive, Path socket) {
    List<String> command = new ArrayList<>(factory.command(archive, socket));
    command.add(1, "-S");
    return command;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b'\\x10\\0\\0\\0\\x10\\0\\0\\0{\"protocol\": 99}' | it speaks version 99",
        "b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n'          | its first message is no greeting",
        "b'\\x02\\0\\0\\0\\x05\\0\\0\\0{}'                | its first message is no greeting",
      })
  void shouldRefuseAnotherProtocol(String greeting, String message) {
    PythonInterpreter.require();
    assertThatThrownBy(() -> start((archive, socket) -> speaking(greeting.strip(), socket)))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("does not speak version 1 of the protocol: " + message.strip());
  }

  private static List<String> speaking(String greeting, Path socket) {
    String code =
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
            + " s.sendall("
            + greeting
            + "); time.sleep(60)";
    return List.of(PythonInterpreter.path(), "-c", code, socket.toString());
  }

  @Test
  void shouldSayThatAProcessDoesNotConnect() {
    PythonInterpreter.require();
    String python = PythonInterpreter.path();
    assertThatThrownBy(
            () -> start((archive, socket) -> List.of(python, "-c", "print('hm'); exit(3)")))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("ended with exit code 3 during its start; the last it printed:\nhm");
    assertThatThrownBy(
            () -> start((archive, socket) -> List.of(python, "-c", "import time; time.sleep(60)")))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("did not finish its start within 5 s");
  }

  @SuppressWarnings("resource")
  private static void start(PythonProcess.Command command) {
    new GymnasiumEnvironment("the task", command, "{}".getBytes(StandardCharsets.UTF_8), 1, SHORT);
  }

  @Test
  void shouldEndACallThatHangsWhenItIsClosed() throws Exception {
    BatchedEnvironment environment = failing("hang").createBatch(1);
    BatchedStep rows = new BatchedStep(environment);
    environment.reset(0, 1, rows);
    environment.step(new float[1], rows);
    Thread calling =
        new Thread(() -> assertThatThrownBy(() -> environment.step(new float[1], rows)));
    calling.start();
    while (!((GymnasiumEnvironment) environment).isBusy()) {
      Thread.onSpinWait();
    }
    environment.close();
    calling.join(30_000);
    assertThat(calling.isAlive()).isFalse();
  }

  @Test
  void shouldSurviveAnInterruptOfTheCallingThread() {
    try (BatchedEnvironment environment = PythonInterpreter.task("Counting-v0").createBatch(1)) {
      BatchedStep rows = new BatchedStep(environment);
      Thread.currentThread().interrupt();
      environment.reset(0, 3, rows);
      environment.step(new float[1], rows);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(rows.observations()).containsExactly(3, 1);
    }
  }

  @Test
  void shouldLeaveNoProcessBehindWhenTheJvmIsKilled() throws Exception {
    PythonInterpreter.require();
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dquantail.python=" + PythonInterpreter.path(),
                "-cp",
                System.getProperty("java.class.path"),
                Hanging.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle python = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      assertThat(python.isAlive()).isTrue();
      jvm.destroyForcibly().waitFor();
      python.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  /** A program whose environment hangs in a step. */
  static final class Hanging {
    public static void main(String[] arguments) {
      BatchedEnvironment environment = failing("hang").createBatch(1);
      BatchedStep rows = new BatchedStep(environment);
      environment.reset(0, 1, rows);
      environment.step(new float[1], rows);
      System.out.println(((GymnasiumEnvironment) environment).pid());
      environment.step(new float[1], rows);
    }
  }
}
