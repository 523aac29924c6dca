package io.hyperverbs.lab.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a static method as a case of its class's {@link CaseGroup}. The method's name in words is the case's:
 * {@code sendQueueFull} in the group {@code rc} is {@code rc.send-queue-full}. It takes a {@code Rig}, or requester
 * and responder of a pair that is connected, or the rig and one or both of these sides.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Case {
    /** The rule that the case proves, as in {@link ConformanceCase#rule()}. */
    String value();
}
