package io.hyperverbs.tests.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class of machines with several HCAs, or whose programs keep the engine busy. Such classes run one after the
 * other: each engine polls, and the engines of two machines would have all cores.
 */
@ResourceLock("engines of several HCAs")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface SeveralEngines {}
