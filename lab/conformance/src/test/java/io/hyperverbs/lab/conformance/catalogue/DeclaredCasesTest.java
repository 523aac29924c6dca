package io.hyperverbs.lab.conformance.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.cases.CaseClasses;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeclaredCasesTest {
    private static final Rig NO_RIG = new Rig(null, null, null);

    @Test
    void knowsEveryClassThatDeclaresCases() throws Exception {
        Path folder = Path.of(CaseClasses.class.getResource("CaseClasses.class").toURI())
                .getParent();

        List<Class<?>> declaring =
                classes(folder).filter(DeclaredCasesTest::declaresCases).toList();

        assertThat(declaring).isNotEmpty();
        assertThat(CaseClasses.IN_ORDER).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(declaring);
    }

    private static Stream<Class<?>> classes(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .<Class<?>>map(name -> load(CaseClasses.class.getPackageName() + "." + name.replace(".class", "")))
                    .toList()
                    .stream();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean declaresCases(Class<?> one) {
        return one.isAnnotationPresent(CaseGroup.class)
                || Stream.of(one.getDeclaredMethods()).anyMatch(DeclaredCases::isDeclaration);
    }

    @Test
    void namesCasesByTheirMethods() {
        assertThat(DeclaredCases.of(List.of(Good.class)))
                .extracting(one -> one.name() + ": " + one.rule())
                .containsExactly(
                        "good.a-2-nd-thing: second", "good.of-1: made", "good.of-2: made", "good.is-a-thing: first");
    }

    @Test
    void throwsWhatTheMethodThrows() {
        ConformanceCase failing = DeclaredCases.of(List.of(Good.class)).getLast();

        assertThatThrownBy(() -> failing.body().run(NO_RIG))
                .isInstanceOf(AssertionError.class)
                .hasMessage("broken");
    }

    @Test
    void refusesTwoCasesOfOneName() {
        refuses("two cases are called good.is-a-thing", Good.class, SameName.class);
    }

    @Test
    void refusesAMethodThatIsNotStatic() {
        refuses("must be static, void, and take a Rig, the sides of a pair, or both", NotStatic.class);
    }

    @Test
    void refusesAMethodOfOtherParameters() {
        refuses("must be static, void, and take a Rig, the sides of a pair, or both", TakesList.class);
        refuses("must be static, void, and take a Rig, the sides of a pair, or both", TakesRigLast.class);
        refuses("must be static, void, and take a CaseList", FamilyTakesRig.class);
    }

    @Test
    void refusesAMethodThatReturnsSomething() {
        refuses("must be static, void, and take a Rig, the sides of a pair, or both", Returns.class);
    }

    @Test
    void refusesAClassWithoutGroupOrCases() {
        refuses("has no @CaseGroup", NoGroup.class);
        refuses("declares no case", NoCase.class);
    }

    private static void refuses(String why, Class<?>... classes) {
        assertThatIllegalStateException()
                .isThrownBy(() -> DeclaredCases.of(List.of(classes)))
                .withMessageContaining(why);
    }

    @CaseGroup("good")
    private static final class Good {
        @Case("first")
        private static void isAThing(Rig rig) {
            throw new AssertionError("broken");
        }

        @Case("second")
        private static void a2NdThing(Rig rig) {}

        @CaseFamily
        private static void families(CaseList cases) {
            cases.add("of-1", "made", _ -> {});
            cases.add("of-2", "made", _ -> {});
        }
    }

    @CaseGroup("good")
    private static final class SameName {
        @Case("another")
        private static void isAThing(Rig rig) {}
    }

    @CaseGroup("bad")
    private static final class NotStatic {
        @Case("bad")
        void isNotStatic(Rig rig) {}
    }

    @CaseGroup("bad")
    private static final class TakesList {
        @Case("bad")
        private static void takesList(CaseList cases) {}
    }

    @CaseGroup("bad")
    private static final class TakesRigLast {
        @Case("bad")
        private static void takesRigLast(Side requester, Rig rig) {}
    }

    @CaseGroup("bad")
    private static final class FamilyTakesRig {
        @CaseFamily
        private static void takesRig(Rig rig) {}
    }

    @CaseGroup("bad")
    private static final class Returns {
        @Case("bad")
        private static int returns(Rig rig) {
            return 0;
        }
    }

    private static final class NoGroup {
        @Case("bad")
        private static void isGroupless(Rig rig) {}
    }

    @CaseGroup("bad")
    private static final class NoCase {}
}
