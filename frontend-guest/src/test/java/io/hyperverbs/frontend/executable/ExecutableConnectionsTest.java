package io.hyperverbs.frontend.executable;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an executable may ask of the connection manager, and what wakes it. */
@Timeout(60)
class ExecutableConnectionsTest {
    /** Of another executable of the guest. */
    private static final long FOREIGN = 1;

    /** The connection of a call whose event the backend holds. */
    private static final long CALL = 900;

    private static final int QPN = 77;
    private static final Gid GROUP = new Gid(0xff12_4001_ffff_0000L, 1);

    private final EventDispatcher dispatcher = new EventDispatcher();
    private final Backend backend = new Backend();
    private ServedProgram program;
    private long context;
    private long channel;
    private Fd bell;

    @BeforeEach
    void connect() throws Exception {
        program = ServedProgram.connect(backend, dispatcher);
        context = program.open();
        Packet made =
                program.callForPacket(new ControlRequest.Management(new ManagementRequest.CreateChannel(context)));
        channel = handle(ControlCodec.reply(made.bytes()));
        assertThat(made.descriptors()).hasSize(1);
        bell = made.descriptors().getFirst();
    }

    @AfterEach
    void disconnect() {
        program.close();
        bell.close();
    }

    @Test
    void aChannelWithEventsWakesTheProgram() throws Exception {
        try (InputStream read = Files.newInputStream(Path.of("/proc/self/fd/" + bell.number()))) {
            dispatcher.connections(channel);

            assertThat(read.read()).isOne();
        }
    }

    /** 64 KiB fill a pipe; whoever does not read, or is gone, is not waited for. */
    @Test
    void aProgramThatDoesNotReadBlocksNobody() {
        for (int i = 0; i < 200_000; i++) {
            dispatcher.connections(channel);
        }
        bell.close();
        dispatcher.connections(channel);

        dispatcher.closed("over");
        dispatcher.connections(channel);
    }

    @Test
    void aChannelThatIsReleasedRingsNoMore() throws Exception {
        assertThat(manage(new ManagementRequest.Release(channel))).isEqualTo(new ControlReply.Done());

        try (InputStream read = Files.newInputStream(Path.of("/proc/self/fd/" + bell.number()))) {
            dispatcher.connections(channel);
            assertThat(read.read()).isEqualTo(-1);
        }
        expect(new ManagementRequest.TakeEvents(channel), VerbsStatus.ENOENT);
    }

    @Test
    void whatOthersHaveOfTheConnectionManagerIsNotThere() throws Exception {
        long _ = createQp();
        int asked = backend.count();

        expect(new ManagementRequest.CreateChannel(FOREIGN), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Listen(FOREIGN, 5, 1), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Resolve(FOREIGN, new Destination.Guest("b")), VerbsStatus.ENOENT);
        expect(new ManagementRequest.TakeEvents(FOREIGN), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Connect(FOREIGN, 5, offer(QPN), 1, PrivateData.none()), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Accept(FOREIGN, offer(QPN), 1, PrivateData.none()), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Answer(FOREIGN, Answer.Kind.REJ, PrivateData.none()), VerbsStatus.ENOENT);
        expect(new ManagementRequest.Release(FOREIGN), VerbsStatus.ENOENT);

        assertThat(backend.count()).isEqualTo(asked);
    }

    /** Its handle comes with the event: until then it is nobody's of this guest. */
    @Test
    void aCallIsTheProgramsOnceItWasTaken() throws Exception {
        ManagementRequest reject = new Answer(CALL, Answer.Kind.REJ, PrivateData.none());
        expect(reject, VerbsStatus.ENOENT);

        assertThat(manage(new ManagementRequest.TakeEvents(channel))).isInstanceOf(ControlReply.Management.class);

        assertThat(manage(reject)).isEqualTo(new ControlReply.Done());
    }

    /** A queue pair that calls again ends its former connection, so another's would end that other's. */
    @Test
    void queuePairsOfOthersAreNotOffered() throws Exception {
        long connection = resolve();
        expect(new ManagementRequest.Connect(connection, 5, offer(QPN), 1, PrivateData.none()), VerbsStatus.ENOENT);
        long _ = createQp();

        assertThat(manage(new ManagementRequest.Connect(connection, 5, offer(QPN), 1, PrivateData.none())))
                .isEqualTo(new ControlReply.Done());
        expect(new ManagementRequest.Connect(connection, 5, offer(QPN + 1), 1, PrivateData.none()), VerbsStatus.ENOENT);
    }

    /** A SIDR_REQ describes no queue pair, a SIDR_REP one of the program's. */
    @Test
    void datagramsOfOthersAreNotAskedFor() throws Exception {
        long connection = resolve();
        long _ = createQp();

        assertThat(manage(
                        new ManagementRequest.Connect(connection, 5, CmOffer.ofDatagrams(0, 0), 1, PrivateData.none())))
                .isEqualTo(new ControlReply.Done());
        manage(new ManagementRequest.TakeEvents(channel));

        expect(
                new ManagementRequest.Accept(CALL, CmOffer.ofDatagrams(QPN + 1, 7), 1, PrivateData.none()),
                VerbsStatus.ENOENT);
        assertThat(manage(new ManagementRequest.Accept(CALL, CmOffer.ofDatagrams(QPN, 7), 1, PrivateData.none())))
                .isEqualTo(new ControlReply.Done());
    }

    @Test
    void whatIsLeftGoesWithItChildrenFirst() throws Exception {
        long listener = handle(manage(new ManagementRequest.Listen(channel, 5, 1)));
        long connection = resolve();
        manage(new ManagementRequest.TakeEvents(channel));

        program.socket.shutdown();

        assertThat(program.served.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(backend.releases()).containsExactly(CALL, connection, listener, channel);
    }

    /** The HCA destroys none that is in a group. */
    @Test
    void queuePairsThatAreLeftLeaveTheirGroupsFirst() throws Exception {
        long qp = createQp();
        ControlRequest stays = new ControlRequest.AttachMulticast(qp, GROUP, 0xc001);
        assertThat(program.call(stays)).isEqualTo(new ControlReply.Done());
        assertThat(program.call(stays)).isEqualTo(new ControlReply.Done());
        program.call(new ControlRequest.AttachMulticast(qp, GROUP, 0xc002));
        program.call(new ControlRequest.DetachMulticast(qp, GROUP, 0xc002));
        program.expect(new ControlRequest.AttachMulticast(FOREIGN, GROUP, 0xc001), VerbsStatus.ENOENT);
        int asked = backend.count();

        program.socket.shutdown();

        assertThat(program.served.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(backend.since(asked))
                .startsWith(
                        new ControlRequest.DetachMulticast(qp, GROUP, 0xc001),
                        new ControlRequest.Destroy(ObjectKind.QP, qp));
    }

    /** A registration replaces another of its id, of whichever program. */
    @Test
    void servicesAreNotRegistered() throws Exception {
        expect(new ManagementRequest.RegisterService(context, 5, "name", PrivateData.none(), 60), VerbsStatus.ENOSYS);
    }

    private long resolve() throws Exception {
        ControlReply.Management reply =
                (ControlReply.Management) manage(new ManagementRequest.Resolve(channel, new Destination.Guest("b")));
        return ((ManagementReply.Resolved) reply.reply()).connection();
    }

    private long createQp() throws Exception {
        ControlReply.PdAllocated pd = (ControlReply.PdAllocated) program.call(new ControlRequest.AllocatePd(context));
        ControlRequest request = new ControlRequest.CreateQp(pd.pd(), 2, 0, 0, 0, QpLimits.of(4, 4), 0);
        return ((ControlReply.QpCreated) program.call(request)).qp();
    }

    private static CmOffer offer(int qpn) {
        return new CmOffer(QpType.RC, qpn, 0, 1, 1, 7, 7, 14);
    }

    private static long handle(ControlReply reply) {
        return ((ManagementReply.Opened) ((ControlReply.Management) reply).reply()).handle();
    }

    private void expect(ManagementRequest request, VerbsStatus status) throws Exception {
        program.expect(new ControlRequest.Management(request), status);
    }

    private ControlReply manage(ManagementRequest request) throws Exception {
        return program.call(new ControlRequest.Management(request));
    }

    /** Makes what it is asked for, with handles from 100; a call waits in each channel. */
    private static final class Backend implements ControlPath {
        private static final Gid GID = new Gid(1, 2);
        private static final PathRecord PATH = new PathRecord(GID, GID, 1, 1, 0xffff, 0, 2048, 18, true);

        private final List<ControlRequest> requests = new ArrayList<>();

        @Override
        public synchronized ControlReply call(ControlRequest request) {
            requests.add(request);
            long handle = 99 + requests.size();
            return switch (request) {
                case ControlRequest.OpenContext _ -> new ControlReply.ContextOpened(handle, 1, 2);
                case ControlRequest.AllocatePd _ -> new ControlReply.PdAllocated(handle, 1);
                case ControlRequest.CreateQp _ -> new ControlReply.QpCreated(handle, QPN, 1);
                case ControlRequest.Management management -> manage(management.request(), handle);
                default -> new ControlReply.Done();
            };
        }

        private static ControlReply manage(ManagementRequest request, long handle) {
            ManagementReply reply = switch (request) {
                case ManagementRequest.CreateChannel _, ManagementRequest.Listen _ ->
                    new ManagementReply.Opened(handle);
                case ManagementRequest.Resolve _ -> new ManagementReply.Resolved(handle, "b", PATH);
                case ManagementRequest.TakeEvents _ ->
                    new ManagementReply.Notices(
                            List.of(new CmNotice(
                                    CmEvent.Type.CONNECT_REQUEST,
                                    CALL,
                                    5,
                                    VerbsStatus.SUCCESS,
                                    RejectReason.NONE,
                                    "b",
                                    GID,
                                    offer(3),
                                    PrivateData.none(),
                                    PATH)),
                            false);
                default -> null;
            };
            return reply == null ? new ControlReply.Done() : new ControlReply.Management(reply);
        }

        synchronized int count() {
            return requests.size();
        }

        synchronized List<ControlRequest> since(int asked) {
            return List.copyOf(requests.subList(asked, requests.size()));
        }

        synchronized List<Long> releases() {
            return requests.stream()
                    .filter(request -> request instanceof ControlRequest.Management management
                            && management.request() instanceof ManagementRequest.Release)
                    .map(request ->
                            ((ManagementRequest.Release) ((ControlRequest.Management) request).request()).handle())
                    .toList();
        }

        @Override
        public void subscribe(EventSink sink) {}

        @Override
        public void close() {}
    }
}
