package io.quantail.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  @Test
  void shouldReturnResultsInTheOrderOfTheTasks() {
    CountDownLatch secondDone = new CountDownLatch(1);
    List<Callable<String>> tasks =
        List.of(
            () -> {
              assertThat(secondDone.await(10, TimeUnit.SECONDS)).isTrue();
              return "first";
            },
            () -> {
              secondDone.countDown();
              return "second";
            });
    try (WorkerPool workers = new WorkerPool(2)) {
      assertThat(workers.run(tasks)).containsExactly("first", "second");
    }
  }

  @Test
  void shouldRethrowTheOriginalException() {
    IllegalArgumentException original = new IllegalArgumentException("from the task");
    List<Callable<String>> tasks = new ArrayList<>();
    tasks.add(() -> "fine");
    tasks.add(
        () -> {
          throw original;
        });
    try (WorkerPool workers = new WorkerPool(1)) {
      assertThatThrownBy(() -> workers.run(tasks)).isSameAs(original);
      assertThat(workers.run(tasks.subList(0, 1))).containsExactly("fine");
    }
  }

  @Test
  void shouldRunMoreTasksThanThreads() {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int number = i;
      tasks.add(() -> number * number);
    }
    for (int threads = 1; threads <= 3; threads++) {
      try (WorkerPool workers = new WorkerPool(threads)) {
        assertThat(workers.run(tasks)).containsExactly(0, 1, 4, 9, 16, 25, 36, 49);
      }
    }
  }

  @Test
  void shouldWaitForAllTasksBeforeItThrowsTheFirstFailure() {
    AtomicInteger ended = new AtomicInteger();
    List<Callable<String>> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      tasks.add(
          () -> {
            Thread.sleep(number == 1 ? 0 : 20);
            ended.incrementAndGet();
            throw new IllegalStateException("task " + number);
          });
    }
    try (WorkerPool workers = new WorkerPool(3)) {
      assertThatThrownBy(() -> workers.run(tasks)).hasMessage("task 0");
      assertThat(ended).hasValue(4);
    }
  }

  @Test
  void shouldFinishTheTasksOfAnInterruptedCallerAndTellIt() {
    Thread caller = Thread.currentThread();
    CountDownLatch helping = new CountDownLatch(1);
    // Either thread may take either task; the interrupt comes when the caller waits asleep.
    Callable<String> task =
        () -> {
          if (Thread.currentThread() == caller) {
            helping.await();
          } else {
            helping.countDown();
            Thread.sleep(20);
            caller.interrupt();
            Thread.sleep(20);
          }
          return "done";
        };
    try (WorkerPool workers = new WorkerPool(2)) {
      assertThat(workers.run(List.of(task, task))).containsExactly("done", "done");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldHandOutManyShortRoundsWithoutLosingOne() {
    try (WorkerPool workers = new WorkerPool(3)) {
      for (int round = 0; round < 20_000; round++) {
        int number = round;
        List<Callable<Integer>> tasks = List.of(() -> number, () -> number + 1, () -> number + 2);
        assertThat(workers.run(tasks)).containsExactly(number, number + 1, number + 2);
      }
    }
  }

  @Test
  void shouldLetAnIdleThreadTakePartsOfALoop() {
    AtomicInteger helped = new AtomicInteger();
    AtomicInteger parts = new AtomicInteger();
    int rounds = 0;
    try (WorkerPool workers = new WorkerPool(2)) {
      // An idle thread may have gone to sleep just then, so it gets many chances and some time.
      for (; rounds < 100 && helped.get() == 0; rounds++) {
        Callable<String> idle = () -> "idle";
        Callable<String> loop =
            () -> {
              Thread owner = Thread.currentThread();
              workers.each(
                  8,
                  part -> {
                    parts.incrementAndGet();
                    if (Thread.currentThread() == owner) {
                      awaitPositive(helped, 20_000_000);
                    } else {
                      helped.incrementAndGet();
                    }
                  });
              return "loop";
            };
        assertThat(workers.run(List.of(idle, loop))).containsExactly("idle", "loop");
      }
    }
    assertThat(helped).hasPositiveValue();
    assertThat(parts).hasValue(8 * rounds);
  }

  private static void awaitPositive(AtomicInteger number, long nanos) {
    long end = System.nanoTime() + nanos;
    while (number.get() == 0 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldWaitForAllPartsBeforeItThrowsTheFirstFailure() {
    AtomicInteger ended = new AtomicInteger();
    try (WorkerPool workers = new WorkerPool(3)) {
      assertThatThrownBy(
              () ->
                  workers.each(
                      5,
                      part -> {
                        ended.incrementAndGet();
                        throw new IllegalStateException("part " + part);
                      }))
          .hasMessage("part 0");
    }
    assertThat(ended).hasValue(5);
  }

  @Test
  void shouldRunTwoTasksOfDifferentKinds() {
    AtomicInteger second = new AtomicInteger();
    try (WorkerPool workers = new WorkerPool(2)) {
      assertThat(workers.run(() -> "first", second::incrementAndGet)).isEqualTo("first");
    }
    assertThat(second).hasValue(1);
  }
}
