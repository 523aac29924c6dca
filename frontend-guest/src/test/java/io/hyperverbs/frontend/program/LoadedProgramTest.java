package io.hyperverbs.frontend.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.frontend.AnsweringPath;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedProgramTest {
    static final java.util.concurrent.ConcurrentLinkedQueue<String> SAID =
            new java.util.concurrent.ConcurrentLinkedQueue<>();

    @TempDir
    Path app;

    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    @BeforeEach
    void setUp() {
        SAID.clear();
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void tearDown() {
        System.setErr(before);
    }

    @Test
    void runsStaticMainWithArguments() {
        assertThat(run(StaticMain.class, "x", "y")).isZero();
        assertThat(SAID).containsExactly("static [x, y]");
    }

    @Test
    void runsMainOfAnInstanceWithoutArguments() {
        assertThat(run(InstanceMain.class, "x")).isZero();
        assertThat(SAID).containsExactly("instance");
    }

    @Test
    void prefersMainWithArguments() {
        assertThat(run(BothMains.class)).isZero();
        assertThat(SAID).containsExactly("with arguments");
    }

    @Test
    void refusedVerbIsOneLine() {
        assertThat(run(RefusedMain.class)).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(RefusedMain.class.getName() + ": EAGAIN: quota.qp 4 of 4");
    }

    @Test
    void exitCodeOfAProgramIsSilent() {
        assertThat(run(ExitingMain.class)).isEqualTo(6);
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void otherExceptionShowsItsStack() {
        assertThat(run(BrokenMain.class)).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("IllegalStateException: broken")
                .contains("BrokenMain.main");
    }

    @Test
    void missingClassAndMissingMainAreOneLine() {
        ClassLoader loader = LoadedProgramTest.class.getClassLoader();

        assertThat(new LoadedProgram(loader, "no.Such", List.of()).run()).isEqualTo(1);
        assertThat(run(NoMain.class)).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "class no.Such is not on the class path", "no main method in class " + NoMain.class.getName());
    }

    @Test
    void queueRunsWhatTheToolstackNamesAndStoresExitCodes() {
        MadeMachine machine = new MadeMachine(32);
        MadeMachine.Guest guest = machine.guest("a", 16, Map.of());
        try (DriverDomain domain = new DriverDomain(guest, new AnsweringPath(machine), null, DataPathKind.BYPASS)) {
            Thread thread = ServedQueue.start(guest, domain, app);
            machine.write(ServedQueue.key(guest, 1), ".\n" + DomainMain.class.getName() + "\nfirst");
            machine.write(ServedQueue.key(guest, 2), ".:lib\n" + BrokenMain.class.getName());
            machine.write(ServedQueue.key(guest, 3), "nonsense");

            assertThat(exit(machine, 1)).contains("0");
            assertThat(exit(machine, 2)).contains("1");
            assertThat(exit(machine, 3)).contains("1");
            // The thread it started is part of the program: exit code 0 came after its words.
            assertThat(SAID).containsExactly("a first", "thread in a");
            assertThat(thread.isAlive()).isTrue();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }
    }

    @Test
    void exitCodesGoWhenNobodyAsksForThemAnyMore() {
        MadeMachine machine = new MadeMachine(32);
        MadeMachine.Guest guest = machine.guest("a", 16, Map.of());
        try (DriverDomain domain = new DriverDomain(guest, new AnsweringPath(machine), null, DataPathKind.BYPASS)) {
            Thread _ = ServedQueue.start(guest, domain, app);
            machine.write(ServedQueue.key(guest, 1), "nonsense");
            machine.write(ServedQueue.key(guest, 2), "nonsense");
            assertThat(exit(machine, 1)).contains("1");
            assertThat(exit(machine, 2)).contains("1");

            machine.remove(ServedQueue.key(guest, 1));
            machine.write(ServedQueue.key(guest, 3), "nonsense");

            assertThat(exit(machine, 3)).contains("1");
            assertThat(machine.read("domain/a/exec/1", Duration.ZERO)).isEmpty();
            assertThat(machine.read("domain/a/exec/2", Duration.ZERO)).contains("1");
        }
    }

    private static Optional<String> exit(MadeMachine machine, int number) {
        return machine.read("domain/a/exec/" + number, Duration.ofSeconds(20));
    }

    private static int run(Class<?> mainClass, String... args) {
        return new LoadedProgram(mainClass.getClassLoader(), mainClass.getName(), List.of(args)).run();
    }

    static final class StaticMain {
        private StaticMain() {}

        public static void main(String[] args) {
            SAID.add("static " + List.of(args));
        }
    }

    static final class InstanceMain {
        void main() {
            SAID.add("instance");
        }
    }

    static final class BothMains {
        static void main() {
            SAID.add("without");
        }

        void main(String[] args) {
            SAID.add("with arguments");
        }
    }

    static final class ExitingMain {
        private ExitingMain() {}

        static void main(String[] args) {
            if (args.length == 0) {
                throw new ProgramExit(6);
            }
        }
    }

    static final class RefusedMain {
        private RefusedMain() {}

        static void main(String[] args) throws VerbsException {
            if (args.length == 0) {
                throw new VerbsException(VerbsStatus.EAGAIN, "quota.qp 4 of 4");
            }
        }
    }

    static final class BrokenMain {
        private BrokenMain() {}

        static void main(String[] args) {
            if (args.length == 0) {
                throw new IllegalStateException("broken");
            }
        }
    }

    static final class NoMain {
        private NoMain() {}
    }

    static final class DomainMain {
        private DomainMain() {}

        static void main(String[] args) {
            SAID.add(Domain.current().name() + " " + args[0]);
            Thread main = Thread.currentThread();
            new Thread(() -> {
                        // Not before the main method has returned and is waited behind.
                        await().until(() -> main.getState() == Thread.State.TIMED_WAITING);
                        SAID.add("thread in " + Domain.current().name());
                    })
                    .start();
        }
    }
}
