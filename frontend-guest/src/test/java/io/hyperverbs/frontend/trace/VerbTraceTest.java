package io.hyperverbs.frontend.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.HcaControlPath;
import io.hyperverbs.frontend.MadeMachine;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class VerbTraceTest {
    /** Takes so many lines, then none until there is room again; throws if it is broken. */
    private static final class Lines implements VerbTrace.Sink {
        private final List<String> taken = new CopyOnWriteArrayList<>();
        private int room = Integer.MAX_VALUE;
        private boolean broken;

        @Override
        public boolean take(byte[] bytes, int length) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
            assertThat(text).endsWith("\n");
            if (taken.size() >= room) {
                return false;
            }
            return taken.addAll(text.lines().toList());
        }

        @Override
        public void close() {}
    }

    private final Lines sink = new Lines();

    @Test
    void logsControlForwardedAndDataBypassed() throws Exception {
        MadeMachine machine = new MadeMachine(4096);
        HcaControlPath control = new HcaControlPath(machine);
        MadeMachine.Guest guest = machine.guest("a", 256, Map.of("trace", "true"));
        VerbTrace trace = new VerbTrace(sink, "forwarded");
        try (DriverDomain domain = new DriverDomain(guest, control, null, DataPathKind.BYPASS, trace)) {
            Context context = domain.devices().getFirst().open();
            ProtectionDomain pd = context.allocatePd();
            MemoryRegion region =
                    pd.register(domain.memory().allocate(65536, 64), Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            CompletionQueue cq = context.createCq(8, null);
            RcQueuePair qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
            qp.connect(qp.endpoint(5, region), 5, Set.of(Access.REMOTE_WRITE));
            qp.receives()
                    .start()
                    .receive(4)
                    .sge(region.lkey(), region.address(), 64)
                    .post();
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

        List<String> lines = sink.taken;
        String time = "\\d\\d:\\d\\d:\\d\\d\\.\\d{6} ";
        String forwarded = " <\\d+\\.\\d\\dus> forwarded";
        String bypass = " <\\d+\\.\\d\\dus> bypass";
        assertThat(lines).anyMatch(l -> l.matches(time + "open_device\\(BYPASS\\) = context 1" + forwarded));
        assertThat(lines)
                .anyMatch(l -> l.matches(
                        time + "reg_mr\\(addr=0x[0-9a-f]+, len=65536, LW\\|RW\\)" + " = mr \\d+" + forwarded));
        assertThat(lines)
                .anyMatch(l -> l.matches(time
                        + "post_send\\(qp=0x[0-9a-f]{6}, wr_id=1,"
                        + " RDMA_WRITE, 64, \\+1 more\\) = 0"
                        + bypass));
        assertThat(lines).anyMatch(l -> l.matches(time + "post_recv\\(qp=0x[0-9a-f]{6}, wr_id=4, 64\\) = 0" + bypass));
        assertThat(lines).filteredOn(l -> l.contains("poll_cq(")).hasSize(1);
        assertThat(lines).anyMatch(l -> l.matches(time + "poll_cq\\(cq=\\d+, 2\\) = 2" + bypass));
        assertThat(lines).allMatch(l -> l.endsWith(" forwarded") || l.endsWith(" bypass"), "last word");
        assertThat(lines).filteredOn(l -> l.contains("post_")).allMatch(l -> l.endsWith("bypass"));
    }

    @Test
    void writesNothingWhenOff() {
        VerbTrace trace = new VerbTrace(sink, "forwarded");

        trace.log("alloc_pd(1)", "pd 1", 10, "forwarded");

        assertThat(sink.taken).isEmpty();
    }

    @Test
    void countsLinesThatTheSinkDoesNotTake() {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            sink.room = 1;
            for (int i = 0; i < 4; i++) {
                trace.log("call(" + i + ")", "0", 10, "bypass");
            }
            sink.room = Integer.MAX_VALUE;
            trace.log("call(4)", "0", 10, "bypass");
            trace.log("call(5)", "0", 10, "bypass");
        }

        assertThat(sink.taken).hasSize(4);
        assertThat(sink.taken.get(0)).contains("call(0)");
        assertThat(sink.taken.get(1)).startsWith("[3 lines dropped");
        assertThat(sink.taken.get(2)).contains("call(4)");
        assertThat(sink.taken.get(3)).contains("call(5)");
    }

    @Test
    void linesOfOtherThreadsNameThem() throws Exception {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            trace.log("one()", "0", 10, "bypass");
            Thread other =
                    Thread.ofPlatform().name("poller\u001b[2J\n").start(() -> trace.log("two()", "0", 10, "bypass"));
            other.join();
            trace.log("three()", "0", 10, "bypass");
        }

        assertThat(sink.taken.stream().map(line -> line.replaceFirst("[^ ]* ", "")))
                .containsExactly(
                        "one() = 0 <0.01us> bypass",
                        "[poller\\x1b[2J\\n] two() = 0 <0.01us> bypass",
                        "three() = 0 <0.01us> bypass");
    }

    @Test
    void cutsALineToWhatAPipeTakesAsAWhole() {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            trace.log("call(" + "x".repeat(10_000) + ")", "0", 10, "bypass");
        }

        assertThat(sink.taken).singleElement().asString().hasSize(VerbTrace.MAX_LINE_BYTES - 1);
    }

    @Test
    void turnsItselfOffWhenNobodyReads() {
        VerbTrace trace = new VerbTrace(sink, "forwarded");
        trace.turn(true);
        sink.broken = true;

        trace.log("call()", "0", 10, "bypass");

        assertThat(trace.isOn()).isFalse();
    }

    @Test
    void storeKeyTurnsItOnAndOff() {
        MadeMachine machine = new MadeMachine(16);
        VerbTrace trace = new VerbTrace(sink, "forwarded");
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
