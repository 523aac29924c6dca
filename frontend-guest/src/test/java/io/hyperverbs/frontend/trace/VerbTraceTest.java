package io.hyperverbs.frontend.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.frontend.CardControlPath;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.TestMachine;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.WorkCompletion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

class VerbTraceTest {
    @TempDir Path folder;

    @Test
    void logsControlForwardedAndDataBypassed() throws Exception {
        Path file = folder.resolve("trace.log");
        TestMachine machine = new TestMachine(4096);
        CardControlPath control = new CardControlPath(machine);
        TestMachine.Guest guest = machine.guest("a", 256, Map.of("trace", "true"));
        VerbTrace trace = new VerbTrace(file, 1 << 20, "forwarded");
        try (DriverDomain domain =
                new DriverDomain(guest, control, null, DataPathKind.BYPASS, trace)) {
            Context context = domain.devices().getFirst().open();
            ProtectionDomain pd = context.allocatePd();
            MemoryRegion region =
                    pd.register(
                            domain.memory().allocate(65536, 64),
                            Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            CompletionQueue cq = context.createCq(8, null);
            RcQueuePair qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
            qp.connect(qp.endpoint(5, region), 5, Set.of(Access.REMOTE_WRITE));
            qp.receives().start().receive(4).sge(region.lkey(), region.address(), 64).post();
            qp.sends().start();
            for (int i = 1; i <= 2; i++) {
                qp.sends()
                        .rdmaWrite(i, SendFlags.SIGNALLED, region.address(), region.rkey())
                        .sge(region.lkey(), region.address(), 64);
            }
            qp.sends().post();
            qp.sends().start().sge(1, 2, 3).post();
            control.turn();
            WorkCompletion[] found = {new WorkCompletion(), new WorkCompletion()};
            cq.poll(found);
            cq.poll(found);
        }

        List<String> lines = Files.readAllLines(file);
        String time = "\\d\\d:\\d\\d:\\d\\d\\.\\d{6} ";
        String forwarded = " <\\d+\\.\\d\\dus> forwarded";
        String bypass = " <\\d+\\.\\d\\dus> bypass";
        assertThat(lines)
                .anyMatch(l -> l.matches(time + "open_device\\(BYPASS\\) = context 1" + forwarded));
        assertThat(lines)
                .anyMatch(
                        l ->
                                l.matches(
                                        time
                                                + "reg_mr\\(addr=0x[0-9a-f]+, len=65536, LW\\|RW\\)"
                                                + " = mr \\d+"
                                                + forwarded));
        assertThat(lines)
                .anyMatch(
                        l ->
                                l.matches(
                                        time
                                                + "post_send\\(qp=0x[0-9a-f]{6}, wr_id=1,"
                                                + " RDMA_WRITE, 64, \\+1 more\\) = 0"
                                                + bypass));
        assertThat(lines)
                .anyMatch(
                        l ->
                                l.matches(
                                        time
                                                + "post_recv\\(qp=0x[0-9a-f]{6}, wr_id=4, 64\\) = 0"
                                                + bypass));
        assertThat(lines).filteredOn(l -> l.contains("poll_cq(")).hasSize(1);
        assertThat(lines).anyMatch(l -> l.matches(time + "poll_cq\\(cq=\\d+, 2\\) = 2" + bypass));
        assertThat(lines)
                .allMatch(l -> l.endsWith(" forwarded") || l.endsWith(" bypass"), "last word");
        assertThat(lines).filteredOn(l -> l.contains("post_")).allMatch(l -> l.endsWith("bypass"));
    }

    @Test
    void writesNothingWhenOff() {
        VerbTrace trace = new VerbTrace(folder.resolve("t.log"), 1 << 20, "forwarded");

        trace.log("alloc_pd(1)", "pd 1", 10, "forwarded");

        assertThat(folder.resolve("t.log")).doesNotExist();
    }

    @Test
    void keepsTheLastLinesInBoundedSpace() throws Exception {
        Path file = folder.resolve("t.log");
        try (VerbTrace trace = new VerbTrace(file, 1000, "forwarded")) {
            trace.turn(true);
            for (int i = 0; i < 1000; i++) {
                trace.log("call(" + i + ")", "0", 10, "bypass");
            }
        }

        Path older = folder.resolve("t.log.1");
        assertThat(Files.size(older)).isLessThan(1100);
        String kept = Files.readString(older) + (Files.exists(file) ? Files.readString(file) : "");
        assertThat(kept).contains("call(999)").doesNotContain("call(1)");
    }

    @Test
    void turnsItselfOffWhenTheFileCannotBeWritten() {
        VerbTrace trace = new VerbTrace(folder.resolve("no/such/t.log"), 1000, "forwarded");
        trace.turn(true);

        trace.log("call()", "0", 10, "bypass");

        assertThat(trace.isOn()).isFalse();
    }

    @Test
    void storeKeyTurnsItOnAndOff() {
        TestMachine machine = new TestMachine(16);
        VerbTrace trace = new VerbTrace(folder.resolve("t.log"), 1000, "forwarded");
        try (TraceSwitch _ = TraceSwitch.start(machine.guest("a", 1, Map.of()), trace)) {
            assertThat(trace.isOn()).isFalse();
            machine.write("domain/tool/trace/a", "on");
            await().until(trace::isOn);
            machine.remove("domain/tool/trace/a");
            await().until(() -> !trace.isOn());
            machine.write("domain/tool/trace/a", "on");
            await().until(trace::isOn);
        }
    }
}
