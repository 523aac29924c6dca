package io.hyperverbs.backend;

import static io.hyperverbs.backend.testing.ForwardedMessages.arm;
import static io.hyperverbs.backend.testing.ForwardedMessages.consumed;
import static io.hyperverbs.backend.testing.ForwardedMessages.into;
import static io.hyperverbs.backend.testing.ForwardedMessages.next;
import static io.hyperverbs.backend.testing.ForwardedMessages.poll;
import static io.hyperverbs.backend.testing.ForwardedMessages.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.channel.GuestStub;
import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.Faults;
import io.hyperverbs.backend.testing.NamedThreads;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.wire.CompletionsMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The whole backend with the real HCA, on a machine in this process. */
@Timeout(60)
@Isolated("looks for threads by name")
class BackendDomainTest {
    /** A domain comes and goes so often; {@code -Dtoggles=10000} for the long run. */
    private static final int TOGGLES = Integer.getInteger("toggles", 200);

    private static final String TOKEN = "feed";
    private static final int GUEST = 5;
    private static final int OTHER = 6;
    private static final long BASE = 0x100000;

    @TempDir
    Path state;

    private final Arena arena = Arena.ofShared();
    private final Faults faults = new Faults();
    private final FakeMachine machine = new FakeMachine(arena, faults);
    private final BlockingQueue<ControlPath> nativePaths = new LinkedBlockingQueue<>();
    private final List<Integer> nativeStops = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> atNextStop = new AtomicReference<>();
    private BackendDomain backend;
    private Path folder;
    private MappedExtent ram;
    private FakeMachine.Counters baseline;
    private long notice;

    @BeforeEach
    void setUp() throws Exception {
        folder = Files.createDirectories(state.resolve("domains/a"));
        backend = BackendDomain.start(machine, state, natives());
        ram = machine.addRam(GUEST, 64);
        baseline = machine.counters();
    }

    @AfterEach
    void tearDown() {
        backend.close();
        arena.close();
    }

    /** A queue pair connected to itself, and a region. */
    private record Loop(long context, long cq, long qp, int lkey, int rkey) {}

    @Test
    void forwardsAWriteThroughTheStreamAndCleansUp() throws Exception {
        add(GUEST, "a", false, Map.of());
        BlockingQueue<DataReplyMessage> replies = new LinkedBlockingQueue<>();
        BlockingQueue<EventMessage> events = new LinkedBlockingQueue<>();
        try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
            Loop loop = connect(guest, DataPathKind.FORWARDED);
            guest.events().subscribe(SubscribeMessage.getDefaultInstance(), into(events));
            assertThat(events.poll(5, TimeUnit.SECONDS)).matches(EventMessage::getSubscribed);
            StreamObserver<DataRequestMessage> stream = guest.stream().stream(into(replies));
            stream.onNext(arm(loop.cq(), 0));
            for (int i = 0; i < 100; i++) {
                ram.memory().set(ValueLayout.JAVA_LONG, 0, 1000 + i);

                stream.onNext(post(loop.qp(), write(loop, i)));

                CompletionsMessage completions = next(replies).getCompletions(0);
                MemorySegment cqe = aligned(completions.getEntries());
                assertThat(completions.getCq()).isEqualTo(loop.cq());
                assertThat(completions.getFirstIndex()).isEqualTo(i);
                assertThat(VerbsStatus.of(CqeLayout.statusCode(cqe, 0))).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(CqeLayout.wrId(cqe, 0)).isEqualTo(i);
                assertThat(ram.memory().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(1000 + i);
                stream.onNext(consumed(loop.cq(), i + 1));
            }
            EventMessage event = events.poll(5, TimeUnit.SECONDS);
            assertThat(event).isNotNull();
            assertThat(event.getCompletionCq()).isEqualTo(loop.cq());
            // Armed once, told once.
            assertThat(events).isEmpty();
        }

        long before = System.nanoTime();
        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        FakeMachine.Acknowledged acknowledged = machine.awaitAcknowledgement();

        assertThat(acknowledged.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(250));
        assertThat(machine.counters()).isEqualTo(baseline);
        assertThat(folder.resolve("device.sock")).doesNotExist();
    }

    @Test
    void forwardsAWriteThroughCalls() throws Exception {
        add(GUEST, "a", false, Map.of());
        BlockingQueue<EventMessage> events = new LinkedBlockingQueue<>();
        try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
            Loop loop = connect(guest, DataPathKind.FORWARDED_UNARY);
            guest.events().subscribe(SubscribeMessage.getDefaultInstance(), into(events));
            assertThat(events.poll(5, TimeUnit.SECONDS)).matches(EventMessage::getSubscribed);
            guest.device().exchange(arm(loop.cq(), 0));
            ram.memory().set(ValueLayout.JAVA_LONG, 0, 77);

            DataReplyMessage posted = guest.device().exchange(post(loop.qp(), write(loop, 9)));
            EventMessage event = events.poll(5, TimeUnit.SECONDS);
            DataReplyMessage polled = guest.device().exchange(poll(loop.cq(), 0));
            DataReplyMessage after = guest.device().exchange(poll(loop.cq(), 1));

            assertThat(posted.getStatus()).isEqualTo(VerbsStatus.SUCCESS.code());
            assertThat(event).isNotNull();
            assertThat(CqeLayout.wrId(aligned(polled.getCompletions(0).getEntries()), 0))
                    .isEqualTo(9);
            assertThat(after.getCompletionsCount()).isZero();
            assertThat(ram.memory().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(77);
        }
    }

    @Test
    void domainsThatComeAndGoAsFastAsTheyCanLeaveNothing() throws Exception {
        for (int i = 0; i < TOGGLES; i++) {
            add(GUEST, "a", false, Map.of());
            if (i % 4 == 0) {
                try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
                    assertThat(guest.call(new ControlRequest.OpenContext(DataPathKind.BYPASS)))
                            .isInstanceOf(ControlReply.ContextOpened.class);
                }
            }
            machine.announce(new DomainNotice.Removed(++notice, GUEST));
            assertThat(machine.awaitAcknowledgement().status()).isEqualTo(VerbsStatus.SUCCESS);
        }

        assertThat(machine.counters()).isEqualTo(baseline);
    }

    @Test
    void closesTheSessionOfADomainThatClaimsCompletionsItNeverGot() throws Exception {
        add(GUEST, "a", false, Map.of());
        try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
            Loop loop = connect(guest, DataPathKind.FORWARDED);
            guest.stream().stream(into(new LinkedBlockingQueue<DataReplyMessage>()))
                    .onNext(consumed(loop.cq(), 1));

            await().until(() -> machine.counters().equals(baseline));
        }
        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        assertThat(machine.awaitAcknowledgement().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(WrittenRecords.of(state)).extracting(JournalRecord::phase).contains(JournalRecord.Phase.VIOLATION);
    }

    @Test
    void hostsNativeDomainsOverADirectPath() throws Exception {
        add(GUEST, "n", true, Map.of());
        ControlPath path = nativePaths.poll(5, TimeUnit.SECONDS);

        ControlReply opened = path.call(new ControlRequest.OpenContext(DataPathKind.BYPASS));
        machine.announce(new DomainNotice.Removed(++notice, GUEST));

        assertThat(opened).isInstanceOf(ControlReply.ContextOpened.class);
        assertThat(machine.awaitAcknowledgement().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(nativeStops).containsExactly(GUEST);
        assertThat(machine.counters()).isEqualTo(baseline);
        assertThat(path.call(new ControlRequest.OpenContext(DataPathKind.BYPASS)))
                .isInstanceOf(ControlReply.Refused.class);
    }

    @Test
    void refusesADomainWhoseQuotaTheHcaDoesNotHave() throws Exception {
        announce(GUEST, "a", false, Map.of("quota.qp", "5000"));

        FakeMachine.Acknowledged acknowledged = machine.awaitAcknowledgement();

        assertThat(acknowledged.status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(acknowledged.message()).contains("quota qp of a: 5000 asked for");
        assertThat(folder.resolve("device.sock")).doesNotExist();
    }

    @Test
    void aSlowEndHoldsUpNoOther() throws Exception {
        add(GUEST, "n", true, Map.of());
        add(OTHER, "o", true, Map.of());
        CountDownLatch slow = new CountDownLatch(1);
        atNextStop.set(() -> awaitLatch(slow));
        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        await().until(() -> atNextStop.get() == null);

        machine.announce(new DomainNotice.Removed(++notice, OTHER));

        assertThat(machine.awaitAcknowledgement().notice().domain()).isEqualTo(OTHER);
        slow.countDown();
        assertThat(machine.awaitAcknowledgement().notice().domain()).isEqualTo(GUEST);
    }

    @Test
    void anErrorInOneDomainsNoticeIsAnsweredAndEndsNothing() throws Exception {
        add(GUEST, "n", true, Map.of());
        atNextStop.set(() -> {
            throw new StackOverflowError("planted");
        });

        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        FakeMachine.Acknowledged failed = machine.awaitAcknowledgement();
        machine.announce(new DomainNotice.Removed(++notice, GUEST));

        assertThat(failed.status()).isEqualTo(VerbsStatus.EIO);
        assertThat(failed.message()).contains("planted");
        assertThat(machine.awaitAcknowledgement().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(machine.counters()).isEqualTo(baseline);
    }

    @Test
    void whatCannotBeGivenBackIsLeftUntilItCan() throws Exception {
        add(GUEST, "a", false, Map.of());
        try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
            connect(guest, DataPathKind.FORWARDED);
        }
        FakeMachine.Counters before = machine.counters();
        faults.atRandom(new Random(1), 1);

        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        FakeMachine.Acknowledged first = machine.awaitAcknowledgement();
        faults.none();

        assertThat(first.status()).isEqualTo(VerbsStatus.EBUSY);
        assertThat(machine.counters()).isEqualTo(before);
        machine.announce(new DomainNotice.Removed(++notice, GUEST));
        assertThat(machine.awaitAcknowledgement().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(machine.counters()).isEqualTo(baseline);
    }

    static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void usesNoProcessorWhileNothingHappens() throws Exception {
        add(GUEST, "a", false, Map.of());
        try (GuestStub guest = new GuestStub(folder.resolve("device.sock"), TOKEN)) {
            Loop loop = connect(guest, DataPathKind.FORWARDED);
            BlockingQueue<DataReplyMessage> replies = new LinkedBlockingQueue<>();
            guest.stream().stream(into(replies)).onNext(post(loop.qp(), write(loop, 1)));
            next(replies);
            NamedThreads ours = new NamedThreads("hca-engine", "event-relay", "pump-" + GUEST + "-a", "notices");
            await().until(() -> ours.areAsleepBut("hca-engine"));
            long before = ours.cpuNanos();

            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);

            assertThat(ours.cpuNanos() - before).isLessThan(10_000_000);
        }
    }

    private void add(int domain, String name, boolean isNative, Map<String, String> settings)
            throws InterruptedException {
        announce(domain, name, isNative, settings);
        FakeMachine.Acknowledged acknowledged = machine.awaitAcknowledgement();
        assertThat(acknowledged.status()).as(acknowledged.message()).isEqualTo(VerbsStatus.SUCCESS);
    }

    private void announce(int domain, String name, boolean isNative, Map<String, String> given) {
        Map<String, String> settings = new HashMap<>(given);
        settings.put("path", "bypass,forwarded,forwarded-unary");
        machine.announce(new DomainNotice.Added(
                ++notice,
                domain,
                name,
                isNative,
                isNative ? "" : folder.toString(),
                0,
                TOKEN,
                List.of(ram),
                -1,
                settings,
                "",
                List.of(),
                List.of(),
                ""));
    }

    private Loop connect(GuestStub guest, DataPathKind path) {
        long context = guest.done(new ControlRequest.OpenContext(path), ControlReply.ContextOpened.class)
                .context();
        long pd = guest.done(new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class)
                .pd();
        int access = Access.LOCAL_WRITE.bit() | Access.REMOTE_WRITE.bit();
        ControlReply.MemoryRegistered region = guest.done(
                new ControlRequest.RegisterMemory(
                        pd, BASE, 8192, access, List.of(new FrameRun(ram.firstMachineFrame(), 2))),
                ControlReply.MemoryRegistered.class);
        long cq = guest.done(new ControlRequest.CreateCq(context, 16, 0, true), ControlReply.CqCreated.class)
                .cq();
        ControlReply.QpCreated qp = guest.done(SessionObjects.createQp(pd, cq, 0), ControlReply.QpCreated.class);
        Endpoint self = new Endpoint(1, qp.qpn(), 7, 0, 0, 0);
        for (QpAttributes step :
                List.of(QpAttributes.toInit(Access.of(access)), QpAttributes.toRtr(self), QpAttributes.toRts(7))) {
            guest.done(new ControlRequest.ModifyQp(qp.qp(), step), ControlReply.Done.class);
        }
        return new Loop(context, cq, qp.qp(), region.lkey(), region.rkey());
    }

    private static byte[] write(Loop loop, long wrId) {
        QueueGeometry geometry = SessionObjects.geometry();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment wqe = scratch.allocate(geometry.sendStrideBytes(), 64);
            SendWqeLayout.writeHead(wqe, 0, wrId, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
            SendWqeLayout.writeRemote(wqe, 0, BASE + 4096, loop.rkey());
            SendWqeLayout.writeSegmentCount(wqe, 0, 1);
            SendWqeLayout.writeSegment(wqe, 0, 0, BASE, 8, loop.lkey());
            return wqe.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private MemorySegment aligned(ByteString bytes) {
        MemorySegment copy = arena.allocate(bytes.size(), 64);
        copy.copyFrom(MemorySegment.ofArray(bytes.toByteArray()));
        return copy;
    }

    private NativeHost natives() {
        return new NativeHost() {
            @Override
            public void start(DomainNotice.Added domain, ControlPath path, Runnable wakeEngine) {
                nativePaths.add(path);
            }

            @Override
            public void stop(int domain) {
                Runnable planted = atNextStop.getAndSet(null);
                if (planted != null) {
                    planted.run();
                }
                nativeStops.add(domain);
            }
        };
    }
}
