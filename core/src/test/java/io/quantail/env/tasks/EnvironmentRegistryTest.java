package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("ENV-1")
class EnvironmentRegistryTest {
  /** A user's environment, found by the name of its class. */
  public static final class Own extends CountingEnvironment {
    public Own() {
      super(3);
    }
  }

  /** An environment whose class is not public. */
  static final class Hidden extends CountingEnvironment {
    public Hidden() {
      super(3);
    }
  }

  /** An environment that cannot be made without help. */
  public static final class Needy extends CountingEnvironment {
    public Needy(int length) {
      super(length);
    }
  }

  /** An environment whose constructor fails. */
  public static final class Failing extends CountingEnvironment {
    public Failing() {
      super(3);
      throw new IllegalStateException("no data");
    }
  }

  /** A user's named environment. */
  public static final class OwnProvider implements EnvironmentProvider {
    @Override
    public String name() {
      return "Own-v0";
    }

    @Override
    public EnvironmentFactory factory(RunConfig config) {
      return index -> new Own();
    }
  }

  /** A provider that takes a name which exists. */
  public static final class ClashingProvider implements EnvironmentProvider {
    @Override
    public String name() {
      return "CartPole-v1";
    }

    @Override
    public EnvironmentFactory factory(RunConfig config) {
      return index -> new Own();
    }
  }

  @TempDir Path directory;

  @Test
  void shouldKnowTheBuiltInNames() {
    assertThat(EnvironmentRegistry.names())
        .startsWith(
            "CartPole-v1",
            "CartPoleNoVelocity-v1",
            "Pendulum-v1",
            "PendulumNoVelocity-v1",
            "Acrobot-v1",
            "AcrobotNoVelocity-v1",
            "MountainCarContinuous-v0",
            "MountainCarContinuousNoVelocity-v0",
            "Bandit-v0",
            "RepeatPrevious-v0",
            "DelayedCue-v0");
  }

  @Test
  void shouldMakeANewEnvironmentOnEachCall() {
    for (String name : EnvironmentRegistry.names()) {
      EnvironmentFactory factory = EnvironmentRegistry.byName(name);
      assertThat(factory.create(0)).isNotSameAs(factory.create(0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CartPole-v2,CartPole-v1",
    "cartpole,CartPole-v1",
    "PendulumNoVel-v1,PendulumNoVelocity-v1",
    "delayedcue-v0,DelayedCue-v0"
  })
  void shouldSuggestTheNearestName(String wrong, String nearest) {
    assertThatThrownBy(() -> EnvironmentRegistry.byName(wrong))
        .isInstanceOf(EnvironmentException.Unknown.class)
        .hasMessageContaining("no environment is named \"" + wrong + "\"")
        .hasMessageContaining("did you mean \"" + nearest + "\"?")
        .hasMessageContaining("RepeatPrevious-v0");
  }

  @Test
  void shouldFindAClassByItsName() {
    assertThat(EnvironmentRegistry.byName(Own.class.getName()).create(0)).isInstanceOf(Own.class);
  }

  /** Not an environment; its static code must not run. */
  public static final class Careless {
    static {
      System.setProperty("quantail.test.careless", "ran");
    }
  }

  @Test
  void shouldNotRunCodeOfAClassThatIsNoEnvironment() {
    assertThatThrownBy(() -> EnvironmentRegistry.byName(Careless.class.getName()))
        .hasMessageContaining("must be public and implement");
    assertThat(System.getProperty("quantail.test.careless")).isNull();
  }

  @Test
  void shouldSayWhyAClassCannotBeUsed() {
    assertThatThrownBy(() -> EnvironmentRegistry.byName("java.lang.String"))
        .isInstanceOf(EnvironmentException.Unknown.class)
        .hasMessage(
            "class java.lang.String must be public and implement io.quantail.env.Environment");
    assertThatThrownBy(() -> EnvironmentRegistry.byName(Hidden.class.getName()))
        .isInstanceOf(EnvironmentException.Unknown.class)
        .hasMessageContaining("must be public");
    assertThatThrownBy(() -> EnvironmentRegistry.byName(Needy.class.getName()))
        .isInstanceOf(EnvironmentException.Unknown.class)
        .hasMessageContaining("public constructor without parameters");
    EnvironmentFactory failing = EnvironmentRegistry.byName(Failing.class.getName());
    assertThatThrownBy(() -> failing.create(0))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("no data")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldFindEnvironmentsOfProviders() throws IOException {
    withProvider(
        OwnProvider.class.getName(),
        () -> {
          assertThat(EnvironmentRegistry.names()).contains("Own-v0", "CartPole-v1");
          assertThat(EnvironmentRegistry.byName("Own-v0").create(0)).isInstanceOf(Own.class);
        });
    assertThat(EnvironmentRegistry.names()).doesNotContain("Own-v0");
  }

  @Test
  void shouldRefuseAProviderThatTakesAnExistingName() throws IOException {
    withProvider(
        ClashingProvider.class.getName(),
        () ->
            assertThatThrownBy(EnvironmentRegistry::names)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("ClashingProvider")
                .hasMessageContaining("\"CartPole-v1\", which exists already"));
  }

  @Test
  void shouldFindBuiltInEnvironmentsBesideABrokenProvider() throws IOException {
    withProvider(
        "no.such.Provider",
        () -> assertThat(EnvironmentRegistry.byName("CartPole-v1").create(0)).isNotNull());
  }

  private void withProvider(String provider, Runnable test) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(EnvironmentProvider.class.getName()), provider);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      test.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
