package io.hyperverbs.frontend.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.AnsweringPath;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.frontend.driver.DriverDevice;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that end by System.exit: this process, the domain's, lives on. */
@RunsWhenChanged
@Timeout(60)
class ProgramExitTest {
    private static final String SOURCE = """
        import io.hyperverbs.verbs.*;
        import java.util.concurrent.CountDownLatch;
        import java.util.function.IntConsumer;

        public class Ending {
            public static void main(String[] args) throws Exception {
                int code = args.length < 2 ? 99 : Integer.parseInt(args[1]);
                CountDownLatch never = new CountDownLatch(1);
                new Thread(() -> forever(never)).start();
                switch (args[0]) {
                    case "exit" -> System.exit(code);
                    case "runtime" -> Runtime.getRuntime().exit(code);
                    case "halt" -> Runtime.getRuntime().halt(code);
                    case "reference" -> {
                        IntConsumer end = System::exit;
                        end.accept(code);
                    }
                    case "bound" -> {
                        IntConsumer end = Runtime.getRuntime()::exit;
                        end.accept(code);
                    }
                    case "thread" -> {
                        new Thread(() -> System.exit(code)).start();
                        never.await();
                    }
                    case "swallowed" -> {
                        try {
                            System.exit(code);
                        } catch (Throwable problem) {
                            System.out.println("goes on");
                        }
                    }
                    case "leaves" -> {
                        context().createCq(8, null);
                        System.exit(code);
                    }
                    case "memory" -> {
                        Domain domain = Domain.current();
                        domain.memory().allocate(20_000, 4096);
                        domain.memory().allocate(100, 64);
                        System.exit(code);
                    }
                    case "memory-daemon" -> {
                        Domain.current().memory().allocate(20_000, 4096);
                        Thread daemon = new Thread(() -> {
                            while (true) {
                                try {
                                    never.await();
                                } catch (InterruptedException e) {
                                    continue;
                                }
                            }
                        });
                        daemon.setDaemon(true);
                        daemon.start();
                        System.exit(code);
                    }
                    case "cancelled-spins" -> {
                        CompletionQueue cq = context().createCq(8, null);
                        up();
                        while (cq.poll(new WorkCompletion[] {new WorkCompletion()}) == 0) {
                            Thread.yield();
                        }
                    }
                    case "cancelled-waits" -> {
                        context().allocatePd();
                        up();
                        never.await();
                    }
                    default -> throw new IllegalArgumentException(args[0]);
                }
            }

            private static Context context() throws VerbsException {
                return Domain.current().devices().getFirst().open();
            }

            private static void up() throws VerbsException {
                Domain.current().store().write("up", "yes");
            }

            private static void forever(CountDownLatch never) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        """;

    private static final String CANCELLED = "cancelled-";

    @TempDir
    Path app;

    @BeforeEach
    void compile() throws Exception {
        Path source = Files.writeString(app.resolve("Ending.java"), SOURCE);
        int result =
                ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", app.toString(), source.toString());
        assertThat(result).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "exit, 7, 7",
        "exit, 0, 0",
        "exit, -1, 255",
        "runtime, 8, 8",
        "halt, 9, 9",
        "reference, 10, 10",
        "bound, 11, 11",
        "thread, 12, 12",
        "swallowed, 13, 13"
    })
    void exitEndsTheProgramAlone(String how, int code, String stored) throws Exception {
        assertThat(codeOf(how + "\n" + code)).isEqualTo(stored);
    }

    @Test
    void leavesOtherClassesAsTheyAre() throws Exception {
        byte[] own = bytes(ProgramThreads.class);

        assertThat(ExitCalls.replace(own, _ -> null)).isSameAs(own);
    }

    private static byte[] bytes(Class<?> type) throws Exception {
        try (var file = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return file.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spins", "waits"})
    void aCancelledProgramEndsAndItsContextsAreClosed(String how) throws Exception {
        assertThat(codeOf(CANCELLED + how)).isEqualTo("130");
    }

    @Test
    void whatAProgramLeftOpenIsClosedWithIt() throws Exception {
        assertThat(codeOf("leaves\n7")).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource({"memory, 0", "memory-daemon, 5"})
    void memoryThatAProgramLeftIsFreedUnlessAThreadOfItGoesOn(String how, int framesLeft) throws Exception {
        MadeMachine machine = new MadeMachine(32);
        MadeMachine.Guest guest = machine.guest("a", 16, Map.of());
        DriverDomain domain = new DriverDomain(guest, new AnsweringPath(machine), null, DataPathKind.BYPASS);
        GuestRam ram = (GuestRam) domain.memory();

        Thread _ = ServedQueue.start(guest, domain, app);
        machine.write(ServedQueue.key(guest, 1), ".\nEnding\n" + how + "\n7");

        assertThat(machine.read("domain/a/exec/1", Duration.ofSeconds(20))).contains("7");
        assertThat(ram.capacityBytes() - ram.freeBytes()).isEqualTo(framesLeft * 4096L);
    }

    private String codeOf(String args) throws VerbsException {
        MadeMachine machine = new MadeMachine(32);
        MadeMachine.Guest guest = machine.guest("a", 16, Map.of());
        try (DriverDomain domain = new DriverDomain(guest, new AnsweringPath(machine), null, DataPathKind.BYPASS)) {
            Thread _ = ServedQueue.start(guest, domain, app);
            machine.write(ServedQueue.key(guest, 1), ".\nEnding\n" + args);
            if (args.startsWith(CANCELLED)) {
                assertThat(machine.read("domain/a/up", Duration.ofSeconds(20))).isPresent();
                assertThat(machine.read("domain/a/exec/1", Duration.ZERO)).isEmpty();
                machine.write("domain/tool/cancel/" + guest.boot().domain() + "/1", "");
            }
            String code =
                    machine.read("domain/a/exec/1", Duration.ofSeconds(20)).orElse("none");
            // A device with contexts cannot be closed.
            ((DriverDevice) domain.devices().getFirst()).close();
            return code;
        }
    }
}
