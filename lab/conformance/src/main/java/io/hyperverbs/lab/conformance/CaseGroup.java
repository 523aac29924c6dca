package io.hyperverbs.lab.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the group of all cases that a class declares. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CaseGroup {
    /** What stands before the dot in the names of the cases, as in {@link ConformanceCase#group()}. */
    String value();
}
