package io.hyperverbs.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/**
 * Shared memory holds no lock: whoever took one could die, or stop, and leave the others waiting.
 * Taking a lock needs a comparing exchange; only atomics that a guest asked for do that, on its own
 * bytes.
 */
class SharedLockTest {
    private static final String ATOMICS = "io.hyperverbs.hca.rc.Atomics";

    private static final DescribedPredicate<JavaMethodCall> COMPARING_EXCHANGE = DescribedPredicate.describe(
            "compare and exchange by a VarHandle",
            call -> call.getTargetOwner().isEquivalentTo(VarHandle.class)
                    && (call.getName().startsWith("compareAnd")
                            || call.getName().startsWith("weakCompareAnd")));

    private static JavaClasses classes(String... packages) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(packages);
    }

    @Test
    void nobodyTakesALockInSharedMemory() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ATOMICS)
                .should()
                .callMethodWhere(COMPARING_EXCHANGE)
                .check(classes(
                        "io.hyperverbs.vmm", "io.hyperverbs.hca", "io.hyperverbs.backend", "io.hyperverbs.frontend"));
    }

    @Test
    void theRuleSeesAComparingExchange() {
        assertThat(classes("io.hyperverbs.hca.rc").get(ATOMICS).getMethodCallsFromSelf().stream()
                        .anyMatch(COMPARING_EXCHANGE))
                .isTrue();
    }
}
