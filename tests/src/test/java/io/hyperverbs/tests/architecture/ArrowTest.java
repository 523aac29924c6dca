package io.hyperverbs.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows of ARCHITECTURE.md, read off the compiled classes. Change both together. */
class ArrowTest {
    private static final String ROOT = "io.hyperverbs";
    private static final String VERBS = "io.hyperverbs.verbs";
    private static final String VMM = "io.hyperverbs.vmm";
    private static final String HCA = "io.hyperverbs.hca";
    private static final String LAYOUT = "io.hyperverbs.hca.layout";
    private static final String BACKEND = "io.hyperverbs.backend";
    private static final String FRONTEND = "io.hyperverbs.frontend";
    private static final String LAUNCHER = "io.hyperverbs.launcher";
    private static final String RUN = "io.hyperverbs.lab.run";
    private static final String TOOLSTACK = "io.hyperverbs.toolstack";
    private static final String DEVICE = "io.hyperverbs.device";
    private static final String CONFORMANCE = "io.hyperverbs.lab.conformance";
    private static final String ORACLE = "io.hyperverbs.lab.conformance.access";
    private static final String WALK = "io.hyperverbs.lab.walk";
    private static final String BENCH = "io.hyperverbs.lab.bench";
    private static final String LEDGER = "io.hyperverbs.lab.ledger";
    private static final String LAB_MPI = "io.hyperverbs.lab.mpi";
    private static final String LAB_NAS = "io.hyperverbs.lab.nas";
    private static final String LAB_DSM = "io.hyperverbs.lab.dsm";
    private static final String UPPER_JOB = "io.hyperverbs.upper.job";
    private static final String UPPER_DSM = "io.hyperverbs.upper.dsm";
    private static final String UPPER_IPOIB = "io.hyperverbs.upper.ipoib";
    private static final String UPPER_MPI = "io.hyperverbs.upper.mpi";
    private static final String ATTACKS = "io.hyperverbs.lab.attacks";

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(ROOT);
    }

    static Stream<ArchRule> arrows() {
        return Stream.of(
                mayUse(VERBS, VERBS),
                mayUse(VMM, VMM, VERBS),
                mayUse(HCA, HCA, VERBS),
                mayUse(LAYOUT, LAYOUT, VERBS),
                mayUse(BACKEND, BACKEND, VERBS, VMM, HCA),
                mayUse(FRONTEND, FRONTEND, VERBS, VMM, LAYOUT),
                mayUse(DEVICE, DEVICE, VERBS, VMM, HCA, BACKEND, FRONTEND),
                mayUse(CONFORMANCE, CONFORMANCE, VERBS),
                mayUse(ORACLE, ORACLE, VERBS),
                mayUse(WALK, WALK, VERBS, ORACLE),
                mayUse(BENCH, BENCH, VERBS),
                mayUse(LEDGER, LEDGER),
                mayUse(UPPER_JOB, UPPER_JOB, VERBS),
                mayUse(UPPER_MPI, UPPER_MPI, UPPER_JOB, VERBS),
                mayUse(UPPER_DSM, UPPER_DSM, UPPER_JOB, VERBS),
                mayUse(UPPER_IPOIB, UPPER_IPOIB, VERBS),
                mayUse(LAB_MPI, LAB_MPI, UPPER_MPI, UPPER_JOB, VERBS),
                mayUse(LAB_NAS, LAB_NAS, UPPER_MPI, VERBS),
                mayUse(LAB_DSM, LAB_DSM, UPPER_DSM, UPPER_JOB, VERBS),
                mayUse(ATTACKS, ATTACKS, VERBS, VMM, LAYOUT, FRONTEND),
                mayUse(LAUNCHER, LAUNCHER, VERBS, VMM, HCA, BACKEND, DEVICE),
                mayUse(
                        RUN,
                        RUN,
                        VERBS,
                        VMM,
                        HCA,
                        BACKEND,
                        FRONTEND,
                        LAUNCHER,
                        CONFORMANCE,
                        WALK,
                        BENCH,
                        ATTACKS,
                        LAB_MPI,
                        LAB_DSM));
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void pointsOneWay(ArchRule arrow) {
        arrow.check(classes);
    }

    @Test
    void verbsApiNeedsTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage(VERBS + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations", VERBS + "..")
                .check(classes);
    }

    /** docs/adr/0007. */
    @Test
    void vmmKnowsOfVerbsTheStatusAlone() {
        noClasses()
                .that()
                .resideInAPackage(VMM + "..")
                .and()
                .resideOutsideOfPackage(VMM + ".io..")
                .should()
                .dependOnClassesThat(describe(
                        "verbs other than the status",
                        c -> isIn(c, VERBS) && !outermost(c).equals("VerbsStatus")))
                .check(classes);
    }

    @Test
    void nativeSymbolsAreLinkedInOnePackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage(VMM + ".posix")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(classes);
    }

    @Test
    void generatedMessagesStopAtTheEdge() {
        noClasses()
                .that(describe(
                        "are not at the end of a channel",
                        c -> !List.of("Codec", "Client", "Service", "Path", "Server", "Link").stream()
                                        .anyMatch(end -> outermost(c).endsWith(end))
                                && !c.getPackageName().contains(".wire")
                                && !c.getPackageName().startsWith(VMM + ".hypercall")
                                && !c.getPackageName().startsWith(VMM + ".control")
                                && !c.getPackageName().endsWith(".channel")
                                && !c.getPackageName().endsWith(".forwarded")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(VMM + ".io.wire")
                .check(classes);
    }

    /** Work queues are the guest's to write: what the HCA knows of a request it keeps itself. */
    @Test
    void hcaNeverWritesRingsOfWork() {
        List<String> rings = List.of(
                "SendWqeLayout",
                "ReceiveWqeLayout",
                "WindowWqeLayout",
                "SrqRingLayout",
                "QueueIndexes",
                "SendRing",
                "ReceiveRing",
                "SharedReceiveRing");
        noClasses()
                .that()
                .resideInAPackage(HCA + "..")
                .and()
                .resideOutsideOfPackage(LAYOUT)
                .should()
                .callMethodWhere(describe(
                        "writes a work queue",
                        call -> rings.contains(call.getTargetOwner().getSimpleName())
                                // The head is a hint to the guest, never read back.
                                && !call.getName().equals("headIndexRelease")
                                && call.getName().matches("write.*|publish.*|.*Release")))
                .check(classes);
    }

    @Test
    void packagesMakeNoCircle() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void readsEveryModule() {
        assertThat(Stream.of(
                        VERBS,
                        VMM,
                        HCA,
                        BACKEND,
                        FRONTEND,
                        DEVICE,
                        CONFORMANCE,
                        WALK,
                        BENCH,
                        ATTACKS,
                        LAUNCHER,
                        RUN,
                        TOOLSTACK))
                .allSatisfy(root ->
                        assertThat(classes).anyMatch(c -> c.getPackageName().startsWith(root)));
    }

    private static String outermost(JavaClass c) {
        String name = c.getName().substring(c.getPackageName().length() + 1);
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    private static ArchRule mayUse(String from, String... targets) {
        return noClasses()
                .that()
                .resideInAPackage(from + "..")
                .should()
                .dependOnClassesThat(oursOutside(targets))
                .as(from + " may use of ours only " + List.of(targets));
    }

    private static DescribedPredicate<JavaClass> oursOutside(String... targets) {
        return describe(
                "ours and outside " + List.of(targets),
                c -> isIn(c, ROOT) && Stream.of(targets).noneMatch(target -> isIn(c, target)));
    }

    private static boolean isIn(JavaClass c, String root) {
        return c.getPackageName().equals(root) || c.getPackageName().startsWith(root + ".");
    }
}
