package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

/** Levels of returns under a predicted distribution, worked by hand. */
@Requirement("DIST-5")
class CriticLevelTest {

  @Test
  void shouldBeLinearBetweenQuantilesWithExponentialTails() {
    Critic critic = new QuantileCritic(4, 0, true);
    critic.read(new float[] {3, -1, 1, 5, 2}, 0); // levels 0.125, 0.375, 0.625, 0.875
    assertThat(critic.level(-1)).isEqualTo(0.125);
    assertThat(critic.level(0)).isEqualTo(0.25);
    assertThat(critic.level(4.5)).isEqualTo(0.8125);
    assertThat(critic.level(-3)).isCloseTo(0.125 / 3, within(1e-15));
    assertThat(critic.level(-5)).isCloseTo(0.125 / 9, within(1e-15));
    assertThat(critic.level(7)).isCloseTo(1 - 0.125 / 3, within(1e-15));
    assertThat(critic.level(-1e9)).isZero();
    critic.read(new float[] {3, -1, 1, 5, 12}, 0); // the mean head moves all of it by 10
    assertThat(critic.level(14.5)).isEqualTo(0.8125);
  }

  @Test
  void shouldGiveARunOfEqualQuantilesItsMiddle() {
    Critic critic = new QuantileCritic(5, 0, true);
    critic.read(new float[] {2, 2, 2, 7, 7, 4}, 0);
    assertThat(critic.level(2)).isCloseTo(0.3, within(1e-15));
    assertThat(critic.level(1.999)).as("no tail below equal quantiles").isZero();
    critic.read(new float[] {4, 4, 4, 4, 4, 4}, 0);
    assertThat(critic.level(4)).isEqualTo(0.5);
    assertThat(critic.level(5)).isEqualTo(1);
    Critic single = new QuantileCritic(1, 1);
    single.read(new float[] {4}, 0);
    assertThat(single.level(3)).isZero();
    assertThat(single.level(4)).isEqualTo(0.5);
  }

  @Test
  void shouldHaveHalfTheMassOfAnAtomAtTheAtom() {
    Critic critic = new CategoricalCritic(3, 1);
    critic.read(new float[] {0, (float) Math.log(2), 0}, 0); // 0.25, 0.5, 0.25
    assertThat(critic.level(-1)).isCloseTo(0.125, within(1e-7));
    assertThat(critic.level(0)).isCloseTo(0.5, within(1e-7));
    assertThat(critic.level(0.5)).isCloseTo(0.6875, within(1e-7));
    assertThat(critic.level(-7)).isCloseTo(0.125, within(1e-7));
    assertThat(critic.level(7)).isCloseTo(0.875, within(1e-7));
  }

  @Test
  void shouldHaveNoLevelWithoutADistribution() {
    Critic quantiles = new QuantileCritic(2, 1);
    quantiles.read(new float[] {Float.NaN, 1}, 0);
    assertThat(quantiles.level(0)).isNaN();
    Critic atoms = new CategoricalCritic(2, 1);
    atoms.read(new float[] {Float.NaN, 1}, 0);
    assertThat(atoms.level(0)).isNaN();
  }

  @Test
  void shouldChooseTheLowerOfTwins() {
    Critic critic = new QuantileCritic(2, 1);
    assertThat(critic.lower(new float[] {1, 2, 0, 2})).isEqualTo(2);
    assertThat(critic.lower(new float[] {0, 2, 1, 1})).as("equal means").isZero();
    assertThat(critic.lower(new float[] {0, 2})).isZero();
  }
}
