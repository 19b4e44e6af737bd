package io.quantail.robust;

import io.quantail.config.ConfigException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The attack of a robustness evaluation.
 *
 * @param form how perturbations are found
 * @param steps steps of PGD; 0 for the others
 */
public record AttackSpec(Form form, int steps) {
  private static final Pattern PGD = Pattern.compile("pgd-([1-9][0-9]{0,3})");

  /** How perturbations are found. */
  public enum Form {
    NONE,
    RANDOM,
    FGSM,
    PGD
  }

  /** No perturbation. */
  public static final AttackSpec NONE = new AttackSpec(Form.NONE, 0);

  /** From {@code none}, {@code random}, {@code fgsm} or {@code pgd-N} with N steps. */
  public static AttackSpec parse(String name) {
    String plain = name.strip().toLowerCase(Locale.ROOT);
    Matcher pgd = PGD.matcher(plain);
    if (pgd.matches()) {
      return new AttackSpec(Form.PGD, Integer.parseInt(pgd.group(1)));
    }
    return switch (plain) {
      case "none" -> NONE;
      case "random" -> new AttackSpec(Form.RANDOM, 0);
      case "fgsm" -> new AttackSpec(Form.FGSM, 0);
      default ->
          throw new ConfigException(
              "an attack must be none, random, fgsm or pgd-N with 1 to 9999 steps, such as pgd-10;"
                  + " was \"%s\"".formatted(name));
    };
  }

  @Override
  public String toString() {
    return form == Form.PGD ? "pgd-" + steps : form.name().toLowerCase(Locale.ROOT);
  }
}
