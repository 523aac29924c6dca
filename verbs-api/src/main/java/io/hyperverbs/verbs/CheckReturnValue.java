package io.hyperverbs.verbs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The result says whether the call did anything: a program that ignores it may wait for ever for a
 * completion. Static checkers (Error Prone, SpotBugs) recognize annotations of this name.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}
