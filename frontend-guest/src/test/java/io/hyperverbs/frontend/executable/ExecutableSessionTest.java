package io.hyperverbs.frontend.executable;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.posix.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an executable may say over its socket, and what it may not. */
@Timeout(60)
class ExecutableSessionTest {
    /** Of another executable of the guest. */
    private static final long FOREIGN = 1;

    private final Backend backend = new Backend();
    private ServedProgram program;

    @BeforeEach
    void connect() throws Exception {
        program = ServedProgram.connect(backend, new EventDispatcher());
    }

    @AfterEach
    void disconnect() {
        program.close();
    }

    @Test
    void aContextComesWithItsPagesInPlaceOfGrants() throws Exception {
        Packet packet = program.callForPacket(new ControlRequest.OpenContext(DataPathKind.BYPASS));

        assertThat(ControlCodec.reply(packet.bytes())).isEqualTo(new ControlReply.ContextOpened(100, 0, 0));
        assertThat(packet.descriptors()).hasSize(2);
        packet.discard();
    }

    @Test
    void framesAreThoseOfItsMemory() throws Exception {
        long context = program.open();

        assertThat(program.call(new ControlRequest.RegisterRing(context, 4096, List.of(new FrameRun(7, 1)))))
                .isInstanceOf(ControlReply.RingRegistered.class);
        assertThat(backend.last())
                .isEqualTo(new ControlRequest.RegisterRing(context, 4096, List.of(new FrameRun(507, 1))));
        program.expect(new ControlRequest.RegisterRing(context, 4096, List.of(new FrameRun(8, 1))), VerbsStatus.EFAULT);
    }

    @Test
    void objectsOfOthersAreNotThere() throws Exception {
        long context = program.open();
        int asked = backend.requests.size();

        program.expect(new ControlRequest.AllocatePd(FOREIGN), VerbsStatus.ENOENT);
        program.expect(new ControlRequest.Destroy(ObjectKind.CONTEXT, FOREIGN), VerbsStatus.ENOENT);
        program.expect(
                new ControlRequest.RegisterMemory(FOREIGN, 0, 4096, 0, List.of(new FrameRun(0, 1))),
                VerbsStatus.ENOENT);

        assertThat(backend.requests).hasSize(asked);
        assertThat(program.call(new ControlRequest.AllocatePd(context))).isInstanceOf(ControlReply.PdAllocated.class);
    }

    @Test
    void whatItDestroyedIsNotItsAnyMore() throws Exception {
        long context = program.open();

        assertThat(program.call(new ControlRequest.Destroy(ObjectKind.CONTEXT, context)))
                .isEqualTo(new ControlReply.Done());
        program.expect(new ControlRequest.AllocatePd(context), VerbsStatus.ENOENT);
    }

    @Test
    void keysToAllMemoryAndForwardedPathsAreRefused() throws Exception {
        long context = program.open();
        ControlReply.PdAllocated pd = (ControlReply.PdAllocated) program.call(new ControlRequest.AllocatePd(context));

        program.expect(new ControlRequest.AllocateDmaKey(pd.pd()), VerbsStatus.EPERM);
        program.expect(new ControlRequest.OpenContext(DataPathKind.FORWARDED), VerbsStatus.ENOSYS);
    }

    @Test
    void itsObjectsGoWithItChildrenFirst() throws Exception {
        long context = program.open();
        ControlReply.PdAllocated pd = (ControlReply.PdAllocated) program.call(new ControlRequest.AllocatePd(context));

        program.socket.shutdown();

        assertThat(program.served.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(backend.requests)
                .endsWith(
                        new ControlRequest.Destroy(ObjectKind.PD, pd.pd()),
                        new ControlRequest.Destroy(ObjectKind.CONTEXT, context));
    }

    @Test
    void memoryThatTheHcaMayStillUseIsNobodysAgain() throws Exception {
        program.open();
        backend.refusesEnds = true;

        program.socket.shutdown();

        assertThat(program.served.get(30, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aMessageThatIsNoneEndsTheConnection() throws Exception {
        long context = program.open();

        program.socket.send(new byte[] {1, 2, 3}, List.of());

        assertThat(program.served.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(backend.last()).isEqualTo(new ControlRequest.Destroy(ObjectKind.CONTEXT, context));
        assertThat(program.socket.receive()).isNull();
    }

    /** Makes what it is asked for. */
    private static final class Backend implements ControlPath {
        private final List<ControlRequest> requests = new ArrayList<>();
        private volatile boolean refusesEnds;

        @Override
        public synchronized ControlReply call(ControlRequest request) {
            requests.add(request);
            long handle = 99 + requests.size();
            return switch (request) {
                case ControlRequest.OpenContext _ -> new ControlReply.ContextOpened(handle, 1, 2);
                case ControlRequest.AllocatePd _ -> new ControlReply.PdAllocated(handle, 1);
                case ControlRequest.RegisterRing _ -> new ControlReply.RingRegistered(handle);
                case ControlRequest.Destroy _ when refusesEnds -> new ControlReply.Refused(VerbsStatus.EBUSY, "in use");
                case ControlRequest.Destroy _ -> new ControlReply.Done();
                default -> new ControlReply.Refused(VerbsStatus.EINVAL, "not in this test");
            };
        }

        synchronized ControlRequest last() {
            return requests.getLast();
        }

        @Override
        public void subscribe(EventSink sink) {}

        @Override
        public void close() {}
    }
}
