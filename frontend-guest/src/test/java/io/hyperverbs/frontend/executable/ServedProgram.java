package io.hyperverbs.frontend.executable;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An executable's end of a session that is served on another thread, over some control path. */
final class ServedProgram implements AutoCloseable {
    static final long FIRST_FRAME = 500;
    private static final long FRAMES = 8;

    final PacketSocket socket;

    /** What {@link ExecutableSession#serve} returned. */
    final CompletableFuture<Boolean> served;

    private final ExecutableMemory memory;

    private ServedProgram(PacketSocket socket, CompletableFuture<Boolean> served, ExecutableMemory memory) {
        this.socket = socket;
        this.served = served;
        this.memory = memory;
    }

    static ServedProgram connect(ControlPath backend, EventDispatcher events) throws IOException {
        ExecutableMemory memory =
                new ExecutableMemory(FIRST_FRAME, FRAMES, Memfd.create("hv-test", FRAMES * 4096, false));
        PacketSocket.Pair pair = PacketSocket.pair();
        ExecutableSession session = new ExecutableSession(
                pair.own(),
                new PrivilegedVerbs(backend, VerbTrace.off()),
                events,
                reference -> memfd("grant-" + reference),
                memory);
        CompletableFuture<Boolean> served = CompletableFuture.supplyAsync(() -> {
            try (PacketSocket _ = pair.own()) {
                return session.serve();
            }
        });
        return new ServedProgram(PacketSocket.of(pair.other()), served, memory);
    }

    /** Opens a context: its handle. */
    long open() throws Exception {
        Packet packet = callForPacket(new ControlRequest.OpenContext(DataPathKind.BYPASS));
        packet.descriptors().forEach(Fd::close);
        return ((ControlReply.ContextOpened) ControlCodec.reply(packet.bytes())).context();
    }

    void expect(ControlRequest request, VerbsStatus status) throws Exception {
        assertThat(call(request))
                .isInstanceOfSatisfying(
                        ControlReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }

    ControlReply call(ControlRequest request) throws Exception {
        return ControlCodec.reply(callForPacket(request).bytes());
    }

    Packet callForPacket(ControlRequest request) throws Exception {
        socket.send(ControlCodec.bytesOf(request), List.of());
        Packet packet = socket.receive();
        assertThat(packet).isNotNull();
        return packet;
    }

    private static Fd memfd(String name) {
        try {
            return Memfd.create(name, 4096, false);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        socket.close();
        memory.memfd().close();
    }
}
