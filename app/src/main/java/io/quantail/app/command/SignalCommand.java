package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.WrappedText;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.Market;
import io.quantail.market.MarketManifest;
import io.quantail.market.MarketProvider;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.ReturnPrediction;
import io.quantail.market.data.Bars;
import io.quantail.market.forecast.NextBarForecast;
import io.quantail.market.forecast.NextBarForecaster;
import io.quantail.market.signal.TradingCalendar;
import io.quantail.market.signal.TradingSignal;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.run.RunReader;
import io.quantail.run.io.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the target weight of an agent at the close of the last bar of a file. */
@Command(
    name = "signal",
    description = {
      "Prints an agent's target weight at the last close.",
      "Replays the bars of a file. The weight equals the decision of evaluate at that " + "bar."
    },
    mixinStandardHelpOptions = true)
public final class SignalCommand implements Callable<Integer> {
  private static final String CLOCK = "";
  private static final String LAST_BAR = "last-bar";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "File of closed bars of one symbol, at least as many as the warm-up.")
  private String data;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Close of the first traded bar (ISO-8601), for example when the account was opened;"
              + " default: the first bar after the warm-up.")
  private Instant since = Instant.MIN;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description =
          "Time of the decision (ISO-8601), or last-bar for the close of the last bar; for replays."
              + " Default: the clock of this machine. Bars that are too old are refused (exit code"
              + " 3).")
  private String now = CLOCK;

  @Option(
      names = "--allow-gaps",
      description = "Accept missing bars, for example outside trading hours.")
  private boolean gapsAllowed;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /**
   * @param id identifies the bar, so that a signal is not acted on twice
   * @param time close of the last bar
   * @param expires expected close of the next bar, from which on the signal is not valid
   * @param ended whether the account ended before the last bar
   * @param expected mean, quantiles and CVaR of the discounted sum of log-returns; null if ended
   * @param forecast of the log-return of the next bar; null if ended, without position and order,
   *     or if the run has no forecast
   * @param update of the snapshot
   * @param features hash of the feature specification
   */
  private record Result(
      String id,
      String symbol,
      String time,
      String expires,
      double price,
      double targetWeight,
      double currentWeight,
      boolean ended,
      @Nullable Expected expected,
      @Nullable NextBarForecast forecast,
      long update,
      String features) {}

  /**
   * @param mean expected sum
   * @param quantiles by level
   * @param cvar mean of the worst fraction alpha
   * @param alpha that fraction
   * @param gamma discount per bar
   */
  private record Expected(
      double mean, Map<String, Double> quantiles, double cvar, double alpha, double gamma) {}

  @Override
  public Integer call() throws JsonProcessingException {
    RunReader run = RunReader.open(runDirectory, Messages.of(spec)::note);
    RunConfig config = run.config();
    if (!MarketProvider.provides(config)) {
      throw new UsageException(
          "signal needs a run on a market (%s); %s is on %s"
              .formatted(MarketProvider.NAME, runDirectory, config.environment().name()));
    }
    MarketManifest bundle = MarketManifest.read(runDirectory);
    Market market =
        bundle.otherMarket(
            MarketProvider.settings(config), config.risk(), List.of(data), gapsAllowed);
    Bars bars = market.bars().get(0);
    TradingCalendar.of(bars).requireCurrent(time(bars));
    ActingModel agent = run.agent(replay(market));
    TradingSignal signal =
        TradingSignal.of(
            market,
            0,
            since.equals(Instant.MIN) ? Long.MIN_VALUE : since.toEpochMilli(),
            new AgentTradingPolicy(agent),
            run.scale(),
            config.risk(),
            NextBarForecaster.restored(market, run.snapshot().state()).orElse(null));
    Result result = result(signal, run, bundle);
    spec.commandLine().getOut().print(json ? Json.line(result) + "\n" : text(result));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private Instant time(Bars bars) {
    if (now.equals(LAST_BAR)) {
      return Instant.ofEpochMilli(bars.time(bars.size() - 1));
    }
    try {
      return now.equals(CLOCK) ? Instant.now() : Instant.parse(now);
    } catch (DateTimeParseException malformed) {
      throw new UsageException(
          "--now must be a time such as 2024-01-05T21:00:00Z, or %s, was %s"
              .formatted(LAST_BAR, now));
    }
  }

  private static EnvironmentFactory replay(Market market) {
    BarRange all = new BarRange(0, market.bars().get(0).size());
    // Created here, so that too few bars count as invalid data, not as a failed environment.
    TradingEnvironment replay =
        TradingEnvironment.replay(market.instruments().get(0), market.rules(), all);
    return index -> replay;
  }

  private static Result result(TradingSignal signal, RunReader run, MarketManifest bundle) {
    return new Result(
        signal.symbol() + ":" + signal.time(),
        signal.symbol(),
        Instant.ofEpochMilli(signal.time()).toString(),
        Instant.ofEpochMilli(signal.expires()).toString(),
        signal.price(),
        signal.targetWeight(),
        signal.currentWeight(),
        signal.ended(),
        signal.ended()
            ? null
            : expected(Objects.requireNonNull(signal.outlook()), run.config().rollout().gamma()),
        signal.nextBar(),
        run.snapshot().manifest().info().update(),
        bundle.scaler().specHash());
  }

  private static Expected expected(ReturnPrediction outlook, double gamma) {
    Map<String, Double> quantiles = new LinkedHashMap<>();
    for (int i = 0; i < ReturnPrediction.LEVELS.size(); i++) {
      quantiles.put(ReturnPrediction.LEVELS.get(i).toString(), outlook.quantiles()[i]);
    }
    return new Expected(outlook.mean(), quantiles, outlook.cvar(), outlook.alpha(), gamma);
  }

  private static String text(Result result) {
    StringBuilder text = new StringBuilder();
    text.append(
        WrappedText.of(
            format("%s at %s, close %s", result.symbol(), result.time(), result.price())));
    text.append(
        entry(
            "target weight",
            format(
                "%.4f (the replayed account holds %.4f), until %s",
                result.targetWeight(), result.currentWeight(), result.expires())));
    if (result.ended()) {
      return text.append(
              WrappedText.of("the account ended before the last bar and stays flat", "  ", "  "))
          .toString();
    }
    Expected expected = Objects.requireNonNull(result.expected());
    text.append(
        entry(
            "expected",
            format(
                "%.5f, CVaR of the worst %s: %.5f (log-returns, discounted by %s per bar)",
                expected.mean(), expected.alpha(), expected.cvar(), expected.gamma())));
    text.append(
        entry(
            "quantiles",
            expected.quantiles().entrySet().stream()
                // A level and its value stay on one line.
                .map(one -> format("%s:\u00a0%.5f", one.getKey(), one.getValue()))
                .collect(Collectors.joining(" "))));
    NextBarForecast nextBar = result.forecast();
    if (nextBar != null) {
      text.append(
          entry(
              "next bar",
              format(
                  "VaR %s: %.5f, CVaR: %.5f (log-return of that account)",
                  nextBar.alpha(), nextBar.var(), nextBar.cvar())));
    }
    return text.toString();
  }

  private static String entry(String name, String words) {
    return WrappedText.of(words, format("  %-15s", name), " ".repeat(17));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
