package io.quantail.robust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ConfigException;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.ObservationSpace;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holds of every attack, whatever it attacks. */
@Requirement("ROB-1")
class ObservationAttackTest {
  private static final float[][] SEEN = {{0.5f, -0.95f, 0.1f}, {-0.2f, 0.99f, 3}};

  /** Pulls every feature up, the second most. */
  private static final ObservationAttack.Objective UP =
      observations -> new float[][] {{1, 5, 0.1f}, {1, 5, 0.1f}};

  private static ObservationAttack attack(
      RobustConfig.AttackMethod method, RobustConfig.AttackNorm norm, PerturbationBounds limits) {
    return new ObservationAttack(method, norm, 0.1, 8, 0.03, limits);
  }

  private static RandomStream random() {
    return RandomStream.of(3, "attack", 0);
  }

  @ParameterizedTest
  @CsvSource({"FGSM, LINF", "FGSM, L2", "PGD, LINF", "PGD, L2"})
  void shouldStayInsideTheBallAndReachItsEdge(
      RobustConfig.AttackMethod method, RobustConfig.AttackNorm norm) {
    PerturbationBounds free = new PerturbationBounds(-10, 10, List.of());
    ObservationAttack attack = attack(method, norm, free);
    float[][] disturbed = attack.apply(SEEN, UP, random());
    assertThat(attack.meanSize(SEEN, disturbed)).isCloseTo(0.1, within(1e-6));
    for (int row = 0; row < SEEN.length; row++) {
      double squares = 0;
      for (int i = 0; i < 3; i++) {
        double change = disturbed[row][i] - SEEN[row][i];
        assertThat(Math.abs(change)).isLessThanOrEqualTo(0.1 + 1e-6);
        squares += change * change;
      }
      double length = norm == RobustConfig.AttackNorm.LINF ? 0.1 * Math.sqrt(3) : 0.1;
      assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(length + 1e-6);
    }
    assertThat(disturbed[0][1]).isGreaterThan(SEEN[0][1] + 0.09f);
  }

  @ParameterizedTest
  @CsvSource({"FGSM, LINF", "FGSM, L2", "PGD, LINF", "PGD, L2"})
  void shouldRespectBoundsAndFixedFeatures(
      RobustConfig.AttackMethod method, RobustConfig.AttackNorm norm) {
    PerturbationBounds limits = new PerturbationBounds(-1, 1, List.of(0));
    float[][] inside = {{0.5f, 0.95f, 0.1f}, {-0.2f, 0.99f, 1}};
    float[][] disturbed = attack(method, norm, limits).apply(inside, UP, random());
    for (int row = 0; row < inside.length; row++) {
      assertThat(disturbed[row][0]).isEqualTo(inside[row][0]);
      assertThat(disturbed[row][1]).isEqualTo(1);
      assertThat(disturbed[row][2]).isLessThanOrEqualTo(1);
    }
    float[][] noise = attack(method, norm, limits).noise(inside, random());
    for (int row = 0; row < inside.length; row++) {
      assertThat(noise[row][0]).isEqualTo(inside[row][0]);
      assertThat(noise[row][1]).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void shouldLeaveObservationsAloneWithoutStrength() {
    ObservationAttack attack =
        new ObservationAttack(
            RobustConfig.AttackMethod.PGD,
            RobustConfig.AttackNorm.LINF,
            0,
            3,
            0.1,
            new PerturbationBounds(-10, 10, List.of()));
    float[][] disturbed =
        attack.apply(
            SEEN,
            observations -> {
              throw new AssertionError("nothing to search");
            },
            random());
    assertThat(disturbed).isDeepEqualTo(SEEN);
  }

  /** Raw numbers are not in standard deviations, and may lie outside the normaliser's bounds. */
  @Test
  void shouldLeaveRawPartsOfTheObservationAlone() {
    RunConfig config = RunConfig.defaults();
    PerturbationBounds limits =
        PerturbationBounds.of(
            config.environment(),
            config.robust(),
            ObservationSpace.named("price", "volume").rawPart("flag", 1));
    float[][] seen = {{0.5f, 0.25f, 400}, {-0.5f, 0, -400}};
    float[][] disturbed =
        attack(RobustConfig.AttackMethod.PGD, RobustConfig.AttackNorm.LINF, limits)
            .apply(seen, UP, random());
    for (int row = 0; row < seen.length; row++) {
      assertThat(disturbed[row][0]).isNotEqualTo(seen[row][0]);
      assertThat(disturbed[row][2]).isEqualTo(seen[row][2]);
    }
  }

  @Test
  void shouldNotDependOnHowOftenTheScheduleIsAsked() {
    EpsilonSchedule schedule = new EpsilonSchedule(RobustConfig.EpsilonRamp.COSINE, 0, 0.2, 10);
    double before = schedule.at(5);
    for (int i = 0; i < 20; i++) {
      schedule.at(i);
    }
    assertThat(schedule.at(5)).isEqualTo(before).isCloseTo(0.1, within(1e-12));
    assertThat(schedule.at(1)).isPositive().isLessThan(schedule.at(2));
    assertThat(schedule.at(10)).isEqualTo(0.2).isEqualTo(schedule.at(1000));
    assertThat(new EpsilonSchedule(RobustConfig.EpsilonRamp.LINEAR, 0, 0.2, 0).at(1))
        .isEqualTo(0.2);
  }

  @Test
  @Requirement("ROB-2")
  void shouldReadTheNamesOfAttacks() {
    assertThat(AttackSpec.parse(" PGD-10")).isEqualTo(new AttackSpec(AttackSpec.Form.PGD, 10));
    for (String name : List.of("none", "random", "fgsm", "pgd-3")) {
      assertThat(AttackSpec.parse(name)).hasToString(name);
    }
    for (String wrong : List.of("", "pgd", "pgd-0", "pgd--1", "pgd-99999", "fgsm-2", "all")) {
      assertThatThrownBy(() -> AttackSpec.parse(wrong))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("none, random, fgsm or pgd-N")
          .hasMessageContaining("was \"" + wrong + "\"");
    }
  }
}
