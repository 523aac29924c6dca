package io.hyperverbs.lab.ledger;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that starts processes, or takes many seconds: a build runs it whole if a source that it depends on has
 * changed since all its tests held for this kind of user (root or not), and else its tests that are {@link InEachBuild}.
 * It depends on itself, on its module and all that stand before it but the {@link ClassSources#BRANCHES}, and on what
 * the tests of its module share. {@code -Dproofs=all} and {@code
 * -Dproofs=none} decide for all classes.
 */
@ExtendWith(ClassRuns.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RunsWhenChanged {
    /** The {@link ClassSources#BRANCHES} that it depends on as well: folders of modules. */
    String[] value() default {};
}
