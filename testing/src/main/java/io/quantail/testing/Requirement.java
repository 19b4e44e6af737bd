package io.quantail.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rows of {@code docs/internals/requirements.md} that a test proves.
 *
 * <p>A row counts as proven when at least one test carries its ID and every test that carries it
 * passed.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Requirement {
  /** The IDs, for example {@code "GAE-2"}. */
  String[] value();
}
