package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("ENV-1")
class ClassicTasksTest {
  @Test
  void shouldStartCartPoleUniformlyWithinItsRange() {
    CartPole environment = new CartPole();
    double[] sums = new double[4];
    double[] squares = new double[4];
    int episodes = 4000;
    for (int episode = 0; episode < episodes; episode++) {
      float[] first = environment.reset(RandomStream.of(1, "start", episode));
      for (int i = 0; i < 4; i++) {
        assertThat(first[i]).isBetween(-0.05f, 0.05f);
        sums[i] += first[i];
        squares[i] += first[i] * first[i];
      }
    }
    for (int i = 0; i < 4; i++) {
      assertThat(sums[i] / episodes).isCloseTo(0, within(0.002));
      assertThat(squares[i] / episodes).isCloseTo(0.05 * 0.05 / 3, within(5e-5));
    }
  }

  @Test
  void shouldStartPendulumAtAnyAngleAndSlowly() {
    Pendulum environment = new Pendulum();
    double angleSquares = 0;
    double speedSquares = 0;
    int episodes = 4000;
    for (int episode = 0; episode < episodes; episode++) {
      float[] first = environment.reset(RandomStream.of(1, "start", episode));
      double angle = Math.atan2(first[1], first[0]);
      assertThat(first[2]).isBetween(-1f, 1f);
      angleSquares += angle * angle;
      speedSquares += first[2] * first[2];
    }
    assertThat(angleSquares / episodes).isCloseTo(Math.PI * Math.PI / 3, within(0.15));
    assertThat(speedSquares / episodes).isCloseTo(1.0 / 3, within(0.015));
  }

  @Test
  void shouldStartAcrobotHangingAndTheCarAtRest() {
    Acrobot acrobot = new Acrobot();
    MountainCarContinuous car = new MountainCarContinuous();
    double positions = 0;
    int episodes = 4000;
    for (int episode = 0; episode < episodes; episode++) {
      acrobot.reset(RandomStream.of(1, "start", episode));
      for (int i = 0; i < 4; i++) {
        assertThat(acrobot.snapshot()[i]).isBetween(-0.1, 0.1);
      }
      float[] first = car.reset(RandomStream.of(1, "start", episode));
      assertThat(first[0]).isBetween(-0.6f, -0.4f);
      assertThat(first[1]).isZero();
      positions += first[0];
    }
    assertThat(positions / episodes).isCloseTo(-0.5, within(0.004));
  }

  @ParameterizedTest
  @CsvSource({
    "Acrobot-v1, 500, -500",
    "AcrobotNoVelocity-v1, 500, -500",
    "MountainCarContinuous-v0, 999, 0",
    "MountainCarContinuousNoVelocity-v0, 999, 0"
  })
  void shouldCutTasksThatAreNotSolved(String name, int limit, double expected) {
    try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
      environment.reset(RandomStream.of(3, "start", 0));
      float[] nothing = {environment.actionSpace() instanceof ActionSpace.Discrete ? 1 : 0};
      double total = 0;
      for (int i = 1; i <= limit; i++) {
        Step step = environment.step(Action.of(environment.actionSpace(), nothing));
        total += step.reward();
        assertThat(step.isTruncated()).isEqualTo(i == limit);
        assertThat(step.isTerminated()).isFalse();
      }
      assertThat(total).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"2.39,0,false", "2.41,0,true", "-2.41,0,true", "0,0.2094,false", "0,-0.2096,true"})
  void shouldTerminateCartPoleBeyondItsLimits(double position, double angle, boolean terminated) {
    CartPole environment = new CartPole();
    environment.restore(TaskSnapshot.of(position, 0, angle, 0), RandomStream.of(0, "unused", 0));
    assertThat(environment.step(Action.of(environment.actionSpace(), 0)).isTerminated())
        .isEqualTo(terminated);
  }

  @Test
  void shouldCutBalancedCartPoleAfter500Steps() {
    for (String name : new String[] {"CartPole-v1", "CartPoleNoVelocity-v1"}) {
      try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
        float[] observation = environment.reset(RandomStream.of(3, "start", 0));
        float[] before = observation;
        int steps = 0;
        Step step;
        do {
          // Lean against fall and drift; the velocity-less twin estimates it from two sights.
          boolean full = observation.length == 4;
          float angle = observation[full ? 2 : 1];
          float spin = full ? observation[3] : (angle - before[1]) / 0.02f;
          float speed = full ? observation[1] : (observation[0] - before[0]) / 0.02f;
          float lean = angle + 0.3f * spin + 0.05f * observation[0] + 0.1f * speed;
          step = environment.step(Action.of(environment.actionSpace(), lean > 0 ? 1 : 0));
          before = observation;
          observation = step.observation();
          steps++;
        } while (!step.done());
        assertThat(steps).as(name).isEqualTo(500);
        assertThat(step.isTruncated()).isTrue();
        assertThat(step.isTerminated()).isFalse();
      }
    }
  }

  @Test
  void shouldCutPendulumAfter200Steps() {
    for (String name : new String[] {"Pendulum-v1", "PendulumNoVelocity-v1"}) {
      try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
        environment.reset(RandomStream.of(3, "start", 0));
        for (int i = 1; i < 200; i++) {
          assertThat(environment.step(Action.of(environment.actionSpace(), 0)).done()).isFalse();
        }
        assertThat(environment.step(Action.of(environment.actionSpace(), 0)).isTruncated())
            .isTrue();
      }
    }
  }

  @Test
  void shouldHideVelocitiesOnly() {
    RandomStream random = RandomStream.of(3, "start", 0);
    float[] cartPole = new CartPole().reset(random);
    float[] pendulum = new Pendulum().reset(RandomStream.of(3, "start", 0));
    try (Environment first = EnvironmentRegistry.byName("CartPoleNoVelocity-v1").create(0);
        Environment second = EnvironmentRegistry.byName("PendulumNoVelocity-v1").create(0)) {
      assertThat(first.reset(RandomStream.of(3, "start", 0)))
          .containsExactly(cartPole[0], cartPole[2]);
      assertThat(second.reset(RandomStream.of(3, "start", 0)))
          .containsExactly(pendulum[0], pendulum[1]);
    }
    float[] acrobot = new Acrobot().reset(RandomStream.of(3, "start", 0));
    float[] car = new MountainCarContinuous().reset(RandomStream.of(3, "start", 0));
    try (Environment first = EnvironmentRegistry.byName("AcrobotNoVelocity-v1").create(0);
        Environment second =
            EnvironmentRegistry.byName("MountainCarContinuousNoVelocity-v0").create(0)) {
      assertThat(first.reset(RandomStream.of(3, "start", 0)))
          .containsExactly(acrobot[0], acrobot[1], acrobot[2], acrobot[3]);
      assertThat(second.reset(RandomStream.of(3, "start", 0))).containsExactly(car[0]);
    }
  }

  @Test
  void shouldTellTheActionsOfTheClassicTasks() {
    assertThat(new CartPole().actionSpace()).isEqualTo(new ActionSpace.Discrete(2));
    assertThat(new Pendulum().actionSpace())
        .isEqualTo(new ActionSpace.Box(new float[] {-2}, new float[] {2}));
    assertThat(new Acrobot().actionSpace()).isEqualTo(new ActionSpace.Discrete(3));
    assertThat(new MountainCarContinuous().actionSpace())
        .isEqualTo(new ActionSpace.Box(new float[] {-1}, new float[] {1}));
  }
}
