package io.hyperverbs.lab.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a static method that takes a {@code Rig} as a case of its class's {@link CaseGroup}. The method's
 * name in words is the case's: {@code sendQueueFull} in the group {@code rc} is {@code rc.send-queue-full}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Case {
    /** The rule that the case proves, as in {@link ConformanceCase#rule()}. */
    String value();
}
