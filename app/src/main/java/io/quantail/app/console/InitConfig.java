package io.quantail.app.console;

import io.quantail.config.SettingNames;
import io.quantail.market.data.BarFileLayout;
import io.quantail.market.layout.ProposedSettings;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The commented configuration that {@code init} writes. */
public final class InitConfig {
  private InitConfig() {}

  /** The text of the file. */
  public static String of(ProposedSettings proposed) {
    String text =
        head(proposed)
            + data(proposed)
            + features(proposed)
            + execution(proposed)
            + learning(proposed);
    return text.lines().map(InitConfig::aligned).collect(Collectors.joining("\n", "", "\n"));
  }

  /** A line whose comment starts at the same column as the others. */
  private static String aligned(String line) {
    int comment = line.indexOf(" # ");
    return comment < 0
        ? line
        : String.format(
            Locale.ROOT,
            "%-34s%s",
            line.substring(0, comment).stripTrailing(),
            line.substring(comment));
  }

  private static String head(ProposedSettings proposed) {
    return """
        # Written by quantail init for %s.
        # Every line may be changed; docs/guides/markets.md lists all settings of a market.
        environment:
          name: Market-v0
          count: 16
          normalizeObservations: false  # features are scaled with training bars alone
        market:
        """
        .formatted(String.join(", ", proposed.files()));
  }

  private static String data(ProposedSettings proposed) {
    BarFileLayout layout = proposed.layout().layout();
    String columns =
        layout.columns().isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                """
                  headerLines: %d
                  columns: %s
                  separator: %s
                  decimal: %s
            """,
                layout.headerLines(),
                list(layout.columns()),
                SettingNames.written(layout.separator()),
                SettingNames.written(layout.decimal()));
    return """
          data:
            files: %s
            barLength: %s
            timeIsOpen: %s  # whether times are those of opens
            gaps: %s  # missing bars are never filled in
            layout:  # how the file is written, see docs/reference/bar-files.md
        %s      timeFormat: %s
              zone: %s
              prices: %s  # raw, or adjusted: scaled to the adjusted close
        """
        .formatted(
            list(proposed.files()),
            proposed.barLength(),
            proposed.timeIsOpen(),
            proposed.gaps() ? "allow" : "refuse",
            columns,
            quoted(layout.timeFormat()),
            layout.zone(),
            SettingNames.written(layout.prices()));
  }

  private static String features(ProposedSettings proposed) {
    return proposed.shortWindows()
        ? """
          features:  # short windows, since there are few bars
            names:
              - return(1)
              - return(5)
              - return(20)
              - sma-gap(20)
              - rsi(14)
              - ewma-volatility
              - range
              - close-location
              - volume(20)
        """
        : "";
  }

  private static String execution(ProposedSettings proposed) {
    String volume =
        proposed.hasVolumes()
            ? "    maxParticipation: 0.1  # largest order, as a fraction of the mean volume\n"
            : "    maxParticipation: null  # the file has no volumes in units\n    impactBps: 0\n";
    return String.format(
        Locale.ROOT,
        """
          execution:
            initialCash: %s  # %s
            takerBps: %s  # fee in 1/10000; put in your own
            halfSpreadBps: %s  # half the spread in 1/10000; put in your own
        %s    minRebalance: 0.1  # smaller changes of weight are not traded
          action:
            kind: continuous  # any weight
            longOnly: true
          episode:
            bars: %d
          split:  # by time: training, validation, the rest is the test
            train: 0.7
            validation: 0.15
        """,
        plain(proposed.account()),
        proposed.unit().name(),
        plain(proposed.costs().takerBps()),
        plain(proposed.costs().halfSpreadBps()),
        volume,
        proposed.episodeBars());
  }

  private static String learning(ProposedSettings proposed) {
    return String.format(
        Locale.ROOT,
        """
        rollout:
          steps: 256  # more than twice the horizon
          gamma: 0.97  # looks about 30 bars ahead
          gaeLambda: 0  # judges an order by its bar and what the critic expects then
        network:
          hidden: 32
        critic:
          targetLambda: 0.8
        ppo:
          epochs: 4
          batchSize: 512
          sequenceLength: 32
          entropy:
            coefficient: 0.001
        optimizer:
          learningRate: 0.0003
          schedule: linear
        training:
          steps: %d  # about 20 passes over the training bars, 65536 to 524288
        """,
        proposed.steps());
  }

  private static String list(List<String> values) {
    return values.stream().map(InitConfig::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  /** A YAML scalar, in quotes unless it is a plain word. */
  private static String quoted(String value) {
    return value.matches("[A-Za-z_][A-Za-z_0-9./-]*")
        ? value
        : "'" + value.replace("'", "''") + "'";
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
