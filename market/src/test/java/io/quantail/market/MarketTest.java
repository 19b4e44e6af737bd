package io.quantail.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsCsvWriter;
import io.quantail.market.data.DataException;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.RiskUnits;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingVolatility;
import io.quantail.random.RandomStream;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarketTest {
  private static RunConfig parse(String... overrides) {
    return YamlConfig.parse("market: {}", "run.yaml", List.of(overrides));
  }

  private static MarketConfig market(String... overrides) {
    return MarketProvider.settings(parse(overrides));
  }

  @Requirement("EPI-1")
  @Test
  void shouldGiveEnvironmentKTheSymbolKModuloTheirNumber() {
    List<Bars> bars =
        List.of(SampleBars.random(900, 1), SampleBars.random(900, 2), SampleBars.random(900, 3));
    Market market = Market.load(market("market.episode.bars=100"), RiskConfig.defaults(), bars);
    EnvironmentFactory factory = MarketEnvironments.training(market);
    for (int k = 0; k < 7; k++) {
      TradingEnvironment environment = (TradingEnvironment) factory.create(k);
      assertThat(environment.instrument().symbol()).isEqualTo("WALK" + (k % 3 + 1));
      environment.reset(RandomStream.of(k, "x", 0));
      assertThat(market.folds().get(0).train().contains(environment.bar())).isTrue();
    }
    assertThat(market.fingerprints()).hasSize(3).doesNotHaveDuplicates();
    assertThat(market.pass(1, SplitPart.TEST).range()).isEqualTo(market.folds().get(1).test());
  }

  @Requirement("FEAT-1")
  @Test
  void shouldShowOtherBarsWithTheScaleOfTraining() {
    Bars bars = SampleBars.random(900, 1);
    Market trained =
        Market.load(market("market.episode.bars=100"), RiskConfig.defaults(), List.of(bars));
    Market later = trained.onOtherBars(List.of(bars));
    for (int t = 60; t < 900; t += 17) {
      float[] first = new float[trained.instruments().get(0).features().width()];
      float[] second = first.clone();
      trained.instruments().get(0).features().copyRow(t, first);
      later.instruments().get(0).features().copyRow(t, second);
      assertThat(second).containsExactly(first);
    }
  }

  @Requirement("DATA-2")
  @Test
  void shouldTrainOnTheDemoByName() {
    RunConfig config = parse("environment.name=Market-v0");
    try (Environment environment = EnvironmentRegistry.of(config).create(0)) {
      assertThat(environment.observationSpace().size()).isEqualTo(27 + 11 + 6);
    }
    assertThatThrownBy(() -> EnvironmentRegistry.byName("Market-v0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("needs the section market");
  }

  @Requirement("DATA-1")
  @Test
  void shouldListTheProblemsOfAllFiles(@TempDir Path directory) throws IOException {
    Path empty = Files.createFile(directory.resolve("a.csv"));
    MarketConfig config =
        market("market.data.files=[" + empty + ", " + directory.resolve("b.csv") + "]");
    assertThatThrownBy(() -> Market.load(config, RiskConfig.defaults()))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("2 problems in the data:")
        .hasMessageContaining("a.csv: is empty")
        .hasMessageContaining("b.csv: does not exist");
  }

  @Requirement("CLI-2")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "market.execution.takerBps=50000 | market.execution.takerBps must be in [0, 1000], was 50000",
        "market.execution.minRebalance=2 | market.execution.minRebalance must be in [0, 1], was 2",
        "market.execution.maxParticipation=0 | market.execution.maxParticipation must be positive, was 0",
        "market.execution.initialCash=0 | market.execution.initialCash must be positive, was 0",
        "market.episode.bars=1 | market.episode.bars must be at least 2, was 1",
        "market.episode.ruin=1 | market.episode.ruin must be in [0, 1), was 1",
        "market.risk.drawdownStop=0 | market.risk.drawdownStop must be in (0, 1], was 0",
        "market.risk.cooldownBars=0 | market.risk.cooldownBars must be at least 1, was 0",
        "market.action.maxWeight=1.5 | market.action.maxWeight must be in (0, 1], was 1.5",
        "market.action.levels=[1] | market.action.levels must have at least 2 weights, had 1",
        "market.action.kind=steps | market.action.kind must be one of continuous, levels, was \"steps\"",
        "market.data.files=[] | market.data.files must name at least one file of bars, such as [demo:btc], was empty",
        "market.data.files=bars.csv | market.data.files must be a list, was \"bars.csv\"",
        "market.data.symbols=[A, B] | market.data.symbols must be empty or name each of the 1 files, named 2",
        "market.data.barLength=5x | market.data.barLength must be auto or a number with s, m, h or d, such as 5m, was \"5x\"",
        "market.split.train=0.9 | market.split.train and market.split.validation must add up to less than 1, so that bars are left for the test; they add up to 1.05",
        "market.split.by=dates | market.split.trainDates must not be blank",
        "market.walkforward.folds=0 | market.walkforward.folds must be in [1, 1000], was 0",
        "market.forecast.units=0 | market.forecast.units must be in [1, 1024], was 0",
        "market.forecast.epochs=1001 | market.forecast.epochs must be in [1, 1000], was 1001",
        "market.featres.names=[range] | unknown setting market.featres in --set; did you mean market.features?",
      })
  void shouldRefuseWrongSettings(String override, String message) {
    assertThatThrownBy(() -> parse(override.strip()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message.strip());
  }

  @Requirement("CLI-2")
  @Test
  void shouldRefuseLevelsBeyondTheWeight() {
    assertThatThrownBy(() -> parse("market.action={kind: levels, levels: [-1, 0, 1]}"))
        .hasMessage("market.action.levels[0] must be in [0, 1], was -1");
    assertThat(
            market("market.action={kind: levels, longOnly: false, levels: [-1, 0, 1]}")
                .action()
                .map()
                .minWeight())
        .isEqualTo(-1);
  }

  @Requirement("CLI-2")
  @Test
  void shouldReadBackWhatItWrote() {
    RunConfig config =
        parse("market.features.names=[range, return(3)]", "market.split.purgeBars=9");
    String yaml = YamlConfig.toYaml(config);
    assertThat(YamlConfig.parse(yaml, "copy.yaml", List.of())).isEqualTo(config);
    assertThat(yaml).contains("return(3)");
  }

  @Requirement("CLI-2")
  @Test
  void shouldDocumentEverySetting() throws IOException {
    Path file = Path.of(System.getProperty("quantail.root"), "docs", "guides/markets.md");
    Set<String> documented =
        Pattern.compile("(?m)^\\| `(market\\.[A-Za-z.]+)` \\|")
            .matcher(Files.readString(file))
            .results()
            .map((MatchResult row) -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> settings = new TreeSet<>();
    collect(YamlConfig.toTree(parse()).get("market"), "market", settings);
    assertThat(documented).isEqualTo(settings);
  }

  @Requirement("CLI-2")
  @Test
  void shouldHaveARuleForEverySetting() {
    Set<String> settings = new TreeSet<>();
    collect(YamlConfig.toTree(parse()).get("market"), "market", settings);
    Map<String, String> written = ConfigDiff.flat(parse());
    List<SettingRule> rules = new MarketExtension().rules();
    assertThat(rules)
        .extracting(SettingRule::path)
        .hasSameElementsAs(settings)
        .doesNotHaveDuplicates();
    // The rows of a released build never change, even if a default does: list such settings here.
    assertThat(rules)
        .filteredOn(rule -> !rule.isBefore(written.get(rule.path())))
        .extracting(SettingRule::path)
        .containsExactly("market.features.beyond", "market.forecast.enabled");
  }

  @Test
  void shouldCutFeaturesOfRunsFromBeforeTheChoice(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, "format: 2\nenvironment: {name: Market-v0}\nmarket: {}\n");
    MarketConfig stored = MarketProvider.settings(YamlConfig.loadStored(file));
    assertThat(stored.features().beyond()).isEqualTo(FeatureSpec.Beyond.CUT);
    assertThat(market().features().beyond()).isEqualTo(FeatureSpec.Beyond.LOG);
  }

  @Test
  void shouldNotForecastInRunsFromBeforeTheForecast(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, "format: 3\nenvironment: {name: Market-v0}\nmarket: {}\n");
    assertThat(MarketProvider.settings(YamlConfig.loadStored(file)).forecast().enabled()).isFalse();
    assertThat(market().forecast().enabled()).isTrue();
  }

  @Requirement("EVID-1")
  @Test
  void shouldTakeTheBudgetOfRiskUnitsFromLimitOrMedian() {
    List<Bars> bars = List.of(SampleBars.random(900, 1), SampleBars.random(700, 2));
    MarketConfig units = market("market.action.unit=risk", "market.episode.bars=100");
    Market free = Market.load(units, RiskConfig.defaults(), bars);
    TrainingVolatility volatility = free.volatility().orElseThrow();
    assertThat(free.barLimit()).isEmpty();
    assertThat(free.rules().units().budget()).isEqualTo(volatility.median());

    Market limited = Market.load(units, parse("risk.limit=-0.01").risk(), bars);
    assertThat(limited.barLimit()).hasValue(-0.01);
    assertThat(limited.rules().units().budget()).isEqualTo(0.01 / volatility.tailMultiple());
    // a limit on sums of bars, or one that asks for a gain, does not size a single bar
    for (String other : List.of("risk.measure=returns", "risk.measure=episodes")) {
      Market sums = Market.load(units, parse("risk.limit=-0.01", other).risk(), bars);
      assertThat(sums.rules().units().budget()).isEqualTo(volatility.median());
    }
    Market gain = Market.load(units, parse("risk.limit=0.01").risk(), bars);
    assertThat(gain.rules().units().budget()).isEqualTo(volatility.median());
    Market plain = Market.load(market("market.episode.bars=100"), limited.risk(), bars);
    assertThat(plain.rules().units()).isEqualTo(RiskUnits.NONE);
    assertThat(limited.onOtherBars(List.of(bars.get(1))).rules().units())
        .isEqualTo(limited.rules().units());
  }

  @Requirement("EVID-1")
  @Test
  void shouldRefuseRiskUnitsWithoutVolatilityOrLosses() {
    MarketConfig units =
        market("market.action.unit=risk", "market.features.names=[range]", "market.episode.bars=2");
    double[] still = new double[40];
    Arrays.fill(still, 5);
    assertThatThrownBy(
            () -> Market.load(units, RiskConfig.defaults(), List.of(SampleBars.ofCloses(still))))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("no training bar has one");
    double[] rising = new double[40];
    Arrays.setAll(rising, i -> Math.exp(0.01 * i));
    RiskConfig limit = parse("risk.limit=-0.01").risk();
    assertThatThrownBy(() -> Market.load(units, limit, List.of(SampleBars.ofCloses(rising))))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("the mean of the worst bars is a gain");
  }

  @Requirement("SIG-1")
  @Test
  void shouldKeepRiskUnitsWithTheRun(@TempDir Path directory) throws IOException {
    Bars bars = SampleBars.random(900, 1);
    MarketConfig units = market("market.action.unit=risk", "market.episode.bars=100");
    Market trained = Market.load(units, parse("risk.limit=-0.01").risk(), List.of(bars));
    MarketManifest.of(trained, RunConfig.defaults().training()).write(directory);
    MarketManifest read = MarketManifest.read(directory);
    assertThat(read).isEqualTo(MarketManifest.of(trained, RunConfig.defaults().training()));
    Path csv = directory.resolve("other.csv");
    BarsCsvWriter.write(SampleBars.random(300, 2), csv);
    Market other = read.otherMarket(units, trained.risk(), List.of(csv.toString()), false);
    assertThat(other.rules().units()).isEqualTo(trained.rules().units());
    // a file of an older build has no volatility; only risk units need it
    Path file = directory.resolve(MarketManifest.FILE);
    ObjectNode older = (ObjectNode) new ObjectMapper().readTree(file.toFile());
    older.remove("volatility");
    Files.writeString(file, older.toString());
    MarketManifest old = MarketManifest.read(directory);
    assertThatThrownBy(() -> old.otherMarket(units, trained.risk(), List.of(csv.toString()), false))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("needs the volatility of training bars");
    MarketConfig plain = market("market.episode.bars=100");
    assertThat(old.otherMarket(plain, trained.risk(), List.of(csv.toString()), false).volatility())
        .isEmpty();
  }

  private static void collect(JsonNode node, String path, Set<String> settings) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = path + "." + field.getKey();
      if (field.getValue().isObject()) {
        collect(field.getValue(), name, settings);
      } else {
        settings.add(name);
      }
    }
  }
}
