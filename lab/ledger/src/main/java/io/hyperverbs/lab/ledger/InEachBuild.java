package io.hyperverbs.lab.ledger;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that runs even if nothing of its {@link RunsWhenChanged} class has changed: it shows that this computer can
 * run what the class is about.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface InEachBuild {}
