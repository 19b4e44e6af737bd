package io.quantail.study.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Requirement("CLU-2")
@Timeout(60)
class LocalTaskRunnerTest {
  @TempDir Path directory;

  /** Waits for a turn so that tasks end in another order than they begin. */
  private record Reversed(int number, CountDownLatch[] ended) implements Task<Integer> {
    @Override
    public String name() {
      return "number-" + number;
    }

    @Override
    public Integer run(Path attempt) throws Exception {
      if (number + 1 < ended.length) {
        ended[number + 1].await();
      }
      ended[number].countDown();
      return number * number;
    }
  }

  /** Succeeds at a given attempt, and leaves a file in the directory of each. */
  private record Stubborn(String name, int succeedsAt) implements Task<String> {
    @Override
    public String run(Path attempt) throws IOException {
      try (var files = Files.list(attempt)) {
        assertThat(files).as("a directory of this attempt alone").isEmpty();
      }
      Files.writeString(attempt.resolve("mark"), name);
      if (!attempt.endsWith("attempt-" + succeedsAt)) {
        throw new IllegalStateException("not yet");
      }
      return attempt.toString();
    }
  }

  private record Endless(String name, CountDownLatch started, CountDownLatch interrupted)
      implements Task<String> {
    @Override
    public String run(Path attempt) {
      started.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException stop) {
        interrupted.countDown();
        throw new IllegalStateException(stop);
      }
      return name;
    }
  }

  @Test
  void shouldReturnResultsInTheOrderOfTheTasks() {
    CountDownLatch[] ended =
        IntStream.range(0, 4).mapToObj(i -> new CountDownLatch(1)).toArray(CountDownLatch[]::new);
    List<Task<Integer>> tasks = new ArrayList<>();
    IntStream.range(0, 4).forEach(number -> tasks.add(new Reversed(number, ended)));
    List<String> done = new ArrayList<>();

    try (TaskRunner runner = new LocalTaskRunner(4, directory, 1)) {
      assertThat(runner.run(tasks, result -> done.add(result.name())))
          .extracting(TaskResult::value)
          .containsExactly(0, 1, 4, 9);
    }
    assertThat(done).containsExactlyInAnyOrder("number-3", "number-2", "number-1", "number-0");
  }

  /** A study of ten thousand agents must not be in memory as tasks. */
  @Test
  void shouldAskForATaskOnlyWhenThereIsAPlaceForIt() {
    int[] supplied = {0};
    int[] done = {0};
    List<Integer> underWay = new ArrayList<>();
    TaskSource<String> source =
        new TaskSource<>() {
          @Override
          public Optional<? extends Task<String>> next() {
            if (supplied[0] == 50) {
              return Optional.empty();
            }
            underWay.add(supplied[0] - done[0]);
            return Optional.of(new Stubborn("task-" + supplied[0]++, 1));
          }

          @Override
          public void done(TaskResult<String> result) {
            assertThat(result.succeeded()).isTrue();
            done[0]++;
          }
        };
    try (TaskRunner runner = new LocalTaskRunner(3, directory, 1)) {
      runner.run(source);
    }
    assertThat(done[0]).isEqualTo(50);
    assertThat(underWay).hasSize(50).allMatch(tasks -> tasks < 3);
  }

  /** The next task may depend on the results so far. */
  @Test
  void shouldWaitForAResultWhenTheSourceHasNoTaskNow() {
    List<String> chain = new ArrayList<>();
    TaskSource<String> source =
        new TaskSource<>() {
          private boolean waits;

          @Override
          public Optional<? extends Task<String>> next() {
            if (waits || chain.size() == 3) {
              return Optional.empty();
            }
            waits = true;
            return Optional.of(new Stubborn("link-" + chain.size(), 1));
          }

          @Override
          public void done(TaskResult<String> result) {
            chain.add(result.name());
            waits = false;
          }
        };
    try (TaskRunner runner = new LocalTaskRunner(2, directory, 1)) {
      runner.run(source);
    }
    assertThat(chain).containsExactly("link-0", "link-1", "link-2");
  }

  @Test
  void shouldReportFromOneThreadAtATime() {
    List<Stubborn> tasks =
        IntStream.range(0, 40).mapToObj(i -> new Stubborn("task-" + i, 1)).toList();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();

    try (TaskRunner runner = new LocalTaskRunner(4, directory, 1)) {
      runner.run(
          tasks,
          result -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            calls.incrementAndGet();
            inside.decrementAndGet();
          });
    }
    assertThat(calls).hasValue(40);
  }

  @Test
  void shouldRepeatAFailedAttemptInADirectoryOfItsOwn() {
    Path third = directory.resolve("late/attempt-3");
    try (TaskRunner runner = new LocalTaskRunner(1, directory, 3)) {
      assertThat(runner.run(List.of(new Stubborn("late", 3)), result -> {}))
          .containsExactly(TaskResult.done("late", third.toString(), third, 3));
    }
    assertThat(directory.resolve("late/attempt-1/mark")).exists();
    assertThat(directory.resolve("late/attempt-2/mark")).exists();
  }

  @Test
  void shouldNotReuseTheDirectoryOfAnEarlierProcess() throws IOException {
    Files.createDirectories(directory.resolve("again/attempt-1"));

    try (TaskRunner runner = new LocalTaskRunner(1, directory, 1)) {
      assertThat(runner.run(List.of(new Stubborn("again", 2)), result -> {}))
          .extracting(TaskResult::attempts)
          .containsExactly(1);
    }
  }

  @Test
  void shouldNotLetAFailureStopTheOthers() {
    List<Stubborn> tasks =
        List.of(new Stubborn("good", 1), new Stubborn("bad", 9), new Stubborn("also-good", 1));
    List<TaskResult<String>> reported = new ArrayList<>();

    try (TaskRunner runner = new LocalTaskRunner(1, directory, 2)) {
      List<TaskResult<String>> results = runner.run(tasks, reported::add);
      assertThat(results).extracting(TaskResult::succeeded).containsExactly(true, false, true);
      assertThat(results.get(1).failure()).contains("IllegalStateException").contains("not yet");
      assertThat(results.get(1).attempts()).isEqualTo(2);
      assertThat(reported).containsExactlyInAnyOrderElementsOf(results);
    }
  }

  @Test
  void shouldCancelWhenTheCallerIsInterrupted() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    List<Task<String>> tasks =
        List.of(new Endless("endless", started, interrupted), new Stubborn("never", 1));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try (TaskRunner runner = new LocalTaskRunner(1, directory, 5)) {
                runner.run(tasks, result -> {});
              } catch (CancellationException cancelled) {
                thrown.set(cancelled);
              }
            });
    caller.start();
    started.await();
    caller.interrupt();
    caller.join();

    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    interrupted.await();
    assertThat(directory.resolve("never")).doesNotExist();
    assertThat(directory.resolve("endless/attempt-2")).doesNotExist();
  }

  @Test
  void shouldCancelTheRestWhenTheListenerThrows() {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    List<Task<String>> tasks =
        List.of(new Endless("endless", started, interrupted), new Stubborn("first", 1));

    try (TaskRunner runner = new LocalTaskRunner(2, directory, 1)) {
      assertThatThrownBy(
              () ->
                  runner.run(
                      tasks,
                      result -> {
                        throw new IllegalStateException("disk full");
                      }))
          .hasMessage("disk full");
    }
    assertThat(interrupted.getCount()).as("still running").isEqualTo(started.getCount());
  }

  @Test
  void shouldRefuseNamesThatAreNoDirectoriesOrNotUnique() {
    try (TaskRunner runner = new LocalTaskRunner(1, directory, 1)) {
      for (String name : new String[] {"", "../up", "a/b", "-x", ".", "a b", "x".repeat(101)}) {
        assertThatThrownBy(() -> runner.run(List.of(new Stubborn(name, 1)), result -> {}))
            .as(name)
            .hasMessageContaining("was '" + name + "'");
      }
      assertThatThrownBy(
              () ->
                  runner.run(
                      List.of(new Stubborn("twin", 1), new Stubborn("twin", 1)), result -> {}))
          .hasMessageContaining("two tasks have the name 'twin'");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldRefuseToRunNothingAtATime() {
    assertThatThrownBy(() -> new LocalTaskRunner(0, directory, 1))
        .hasMessage("parallel must be at least 1, was 0");
    assertThatThrownBy(() -> new LocalTaskRunner(1, directory, 0))
        .hasMessage("attempts must be at least 1, was 0");
  }

  @Test
  void shouldHoldEitherAValueOrAFailure() {
    assertThatThrownBy(() -> new TaskResult<>("both", "value", "failure", directory, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TaskResult<>("none", null, null, null, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TaskResult<>("never", "value", null, directory, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
