package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.FaultyEnvironment;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that hang are left behind; all others are done, in order, by threads that are kept. */
@Requirement("ENV-2")
@Timeout(60)
class DeadlineRunnerTest {
  private static final double DEADLINE = 0.2;

  @Test
  void shouldRunTasksInOrderInOneThreadThatIsKept() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    List<Integer> order = new ArrayList<>();
    try (DeadlineRunner watchdog = new DeadlineRunner(60)) {
      for (int round = 0; round < 50; round++) {
        watchdog.run(
            IntStream.range(0, 3)
                .mapToObj(
                    i ->
                        new Recorded(
                            () -> {
                              threads.add(Thread.currentThread());
                              order.add(i);
                            }))
                .toList());
      }
    }
    assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    assertThat(order).hasSize(150).startsWith(0, 1, 2, 0, 1, 2);
  }

  @Test
  void shouldLeaveBehindWhatHangsAndDoTheRest() {
    List<Recorded> tasks =
        List.of(
            new Recorded(() -> {}),
            new Recorded(FaultyEnvironment::hang),
            new Recorded(() -> {}),
            new Recorded(FaultyEnvironment::hang),
            new Recorded(() -> {}));
    try (DeadlineRunner watchdog = new DeadlineRunner(DEADLINE)) {
      watchdog.run(tasks);
    }
    assertThat(tasks)
        .extracting(task -> task.abandoned)
        .containsExactly(false, true, false, true, false);
    assertThat(tasks).extracting(task -> task.done).containsExactly(true, false, true, false, true);
  }

  /** Each task has the whole deadline, however long those before it took. */
  @Test
  void shouldTimeEachTaskByItself() {
    List<Recorded> tasks =
        IntStream.range(0, 6).mapToObj(i -> new Recorded(() -> sleep(DEADLINE / 2))).toList();
    try (DeadlineRunner watchdog = new DeadlineRunner(2 * DEADLINE)) {
      watchdog.run(tasks);
    }
    assertThat(tasks).allMatch(task -> task.done && !task.abandoned);
  }

  @Test
  void shouldIgnoreWhatComesBackTooLate() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    Recorded slow =
        new Recorded(
            () -> {
              await(release);
              late.countDown();
            });
    List<Recorded> following = List.of(slow, new Recorded(() -> {}));
    try (DeadlineRunner watchdog = new DeadlineRunner(DEADLINE)) {
      watchdog.run(following);
      Thread first = following.get(1).thread;
      release.countDown();
      late.await();
      Recorded next = new Recorded(() -> {});
      watchdog.run(List.of(next));
      assertThat(slow.abandoned).isTrue();
      assertThat(next.thread).isSameAs(first).isNotSameAs(slow.thread);
    }
  }

  @Test
  void shouldNotMistakeAnEndlessDeadlineForNone() {
    Recorded task = new Recorded(() -> sleep(0.01));
    try (DeadlineRunner watchdog = new DeadlineRunner(1e300)) {
      watchdog.run(List.of(task));
    }
    assertThat(task.done).isTrue();
  }

  @Test
  void shouldHandOnWhatIsNoFaultOfAnEnvironment() {
    try (DeadlineRunner watchdog = new DeadlineRunner(60)) {
      Recorded defect =
          new Recorded(
              () -> {
                throw new OutOfMemoryError("as a test");
              });
      assertThatThrownBy(() -> watchdog.run(List.of(defect))).isInstanceOf(OutOfMemoryError.class);
    }
  }

  private static void sleep(double seconds) {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static final class Recorded implements CallRunner.Task {
    private final Runnable code;
    private volatile Thread thread;
    private volatile boolean done;
    private volatile boolean abandoned;

    Recorded(Runnable code) {
      this.code = code;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      code.run();
      done = true;
    }

    @Override
    public void abandon() {
      abandoned = true;
    }
  }
}
