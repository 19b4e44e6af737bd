package io.quantail.market.layout;

import io.quantail.market.data.BarFileLayout.Decimal;
import io.quantail.market.data.BarFileLayout.Prices;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * What a user states about files; whatever is null is detected, assumed or asked.
 *
 * @param times whether times are opens or closes
 * @param dates order of day and month
 * @param prices adjusted or raw prices
 * @param zone zone of times without one
 * @param decimal decimal sign
 */
public record LayoutAnswers(
    @Nullable Times times,
    @Nullable Dates dates,
    @Nullable Prices prices,
    @Nullable ZoneId zone,
    @Nullable Decimal decimal) {
  /** Nothing is stated. */
  public static final LayoutAnswers NONE = new LayoutAnswers(null, null, null, null, null);

  /** Which time of a bar its row has. */
  public enum Times {
    /** When the bar opened. */
    OPEN,
    /** When the bar closed. */
    CLOSE
  }

  /** Orders of day and month. */
  public enum Dates {
    /** 31/12/2024. */
    DAY_FIRST,
    /** 12/31/2024. */
    MONTH_FIRST
  }
}
