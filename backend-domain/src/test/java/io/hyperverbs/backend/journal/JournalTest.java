package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final ControlRequest OPEN = new ControlRequest.OpenContext(DataPathKind.BYPASS);

    @TempDir
    Path state;

    @Test
    void keepsIntentAndCommitInOrder() throws Exception {
        ControlRequest register = new ControlRequest.RegisterMemory(
                5, 0x7f00, 65536, 3, List.of(new FrameRun(10, 16), new FrameRun(40, 1)));
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.intent(2, "a", 17, register, false);
            journal.commit(2, "a", 17, register, new ControlReply.MemoryRegistered(9, 0x11, 0x22));
        }

        List<JournalRecord> records = WrittenRecords.of(state);

        assertThat(records).hasSize(2);
        assertThat(records.getFirst().phase()).isEqualTo(JournalRecord.Phase.INTENT);
        assertThat(records.getFirst().verb()).isEqualTo("reg_mr");
        assertThat(records.getFirst().request()).isEqualTo(register);
        assertThat(records.getFirst().reply()).isNull();
        assertThat(records.getLast().phase()).isEqualTo(JournalRecord.Phase.COMMIT);
        assertThat(records.getLast().reply()).isEqualTo(new ControlReply.MemoryRegistered(9, 0x11, 0x22));
        assertThat(records.getLast().request()).isNull();
        assertThat(records.getLast().requestId()).isEqualTo(17);
        assertThat(records.getLast().domainName()).isEqualTo("a");
    }

    /** As many as a check lets pass, in frames of a large machine: a replay needs them all. */
    @Test
    void runsAreKeptWhole() throws Exception {
        List<FrameRun> scattered = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            scattered.add(new FrameRun((1L << 28) + 2L * i, 1));
        }
        ControlRequest register = new ControlRequest.RegisterMemory(5, 0x7f00, 1024L << 12, 3, scattered);
        int bytes;
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            bytes = journal.intent(2, "a", 17, register, false);
        }

        assertThat(bytes).isLessThan(12 << 10);
        assertThat(WrittenRecords.of(state).getFirst().request()).isEqualTo(register);
    }

    @Test
    void longRequestsThatAreDeniedAreKeptByName() throws Exception {
        ControlRequest register =
                new ControlRequest.RegisterMemory(5, 0, 99L << 12, 3, Collections.nCopies(99, new FrameRun(7, 1)));
        ControlReply.Refused refused = new ControlReply.Refused(VerbsStatus.EFAULT, "x".repeat(1000));
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.denied(1, "a", 5, register, refused, 0);
            journal.denied(1, "a", 6, OPEN, refused, 0);
        }

        List<JournalRecord> records = WrittenRecords.of(state);

        assertThat(records.getFirst().verb()).isEqualTo("reg_mr");
        assertThat(records.getFirst().request()).isNull();
        assertThat(records.getFirst().words()).hasSize(200);
        assertThat(records.getLast().request()).isEqualTo(OPEN);
    }

    @Test
    void onceItIsClosedNothingIsWritten() throws Exception {
        List<Path> states = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Path own = state.resolve("m" + i);
            states.add(own);

            // Whether it was open by then is left to chance.
            Journal.open(own, Clock.systemUTC()).close();

            JournalFolder.delete(own);
        }
        assertThat(states).allSatisfy(own -> assertThat(own).doesNotExist());
    }

    @Test
    void isReadWhileItIsWritten() throws Exception {
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.intent(1, "a", 1, OPEN, false);
            try (JournalReader reader = JournalReader.open(state)) {
                assertThat(reader.next()).isPresent();
                assertThat(reader.next()).isEmpty();

                journal.intent(1, "a", 2, OPEN, false);

                assertThat(reader.next().map(JournalRecord::requestId)).contains(2L);
            }
        }
    }

    @Test
    void goesOnWhereItEndedWhenOpenedAgain() throws Exception {
        for (long id = 1; id <= 3; id++) {
            try (Journal journal = Journal.open(state, Clock.systemUTC())) {
                journal.intent(1, "a", id, OPEN, false);
            }
        }

        assertThat(WrittenRecords.of(state))
                .extracting(JournalRecord::requestId)
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void saysHowManyDenialsWereLeftOut() throws Exception {
        ControlReply.Refused refused = new ControlReply.Refused(VerbsStatus.EAGAIN, "quota qp: 1 of 1");
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.denied(1, "a", 5, OPEN, refused, 77);
        }

        JournalRecord record = WrittenRecords.of(state).getFirst();

        assertThat(record.phase()).isEqualTo(JournalRecord.Phase.DENIED);
        assertThat(record.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(record.suppressed()).isEqualTo(77);
    }

    @Test
    void takesRecordsFromSeveralThreads() throws Exception {
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            List<Throwable> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
            List<Thread> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                int domain = writer;
                Thread thread = Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = 0; i < 250; i++) {
                            journal.intent(domain, "d", i, OPEN, false);
                        }
                    } catch (JournalException | RuntimeException e) {
                        failures.add(e);
                    }
                });
                writers.add(thread);
            }
            for (Thread thread : writers) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }

        assertThat(WrittenRecords.of(state)).hasSize(1000);
    }

    @Test
    void takesLittleDisk() throws Exception {
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            for (int i = 0; i < 1000; i++) {
                journal.intent(1, "a", i, OPEN, false);
            }
        }

        assertThat(diskBytes(state)).isLessThan(4 << 20);
    }

    @Test
    void saysThatThereIsNothing() {
        assertThatThrownBy(() -> JournalReader.open(state)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void refusesRecordsAfterItsEnd() throws Exception {
        Journal journal = Journal.open(state, Clock.systemUTC());
        journal.close();

        assertThatThrownBy(() -> journal.intent(1, "a", 1, OPEN, false)).isInstanceOf(JournalException.class);
    }

    @Test
    void keepsWhatWasAcknowledgedWhenItsProcessIsKilled() throws Exception {
        for (int round = 0; round < 3; round++) {
            Process writer = startWriter(round * 1_000_000L);
            long acknowledged = -1;
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.US_ASCII))) {
                for (int i = 0; i < 200; i++) {
                    acknowledged = Long.parseLong(lines.readLine());
                }
                writer.destroyForcibly().waitFor();
            }

            List<JournalRecord> records = WrittenRecords.of(state);

            assertThat(records.stream().mapToLong(JournalRecord::requestId)).contains(acknowledged);
        }
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.intent(1, "after", 7, OPEN, false);
        }
        assertThat(WrittenRecords.of(state).getLast().domainName()).isEqualTo("after");
    }

    private Process startWriter(long firstId) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .toList());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                JournalWriter.class.getName(),
                state.toString(),
                Long.toString(firstId)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Sparse files take less than they are long. */
    private static long diskBytes(Path folder) throws Exception {
        Process du = new ProcessBuilder("du", "-sk", folder.toString())
                .redirectErrorStream(true)
                .start();
        String line = new String(du.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(du.waitFor()).as(line).isZero();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty();
        }
        return Long.parseLong(line.substring(0, line.indexOf('\t'))) << 10;
    }
}
