package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.BootReply;
import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.HelloCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.MapGrantCall;
import io.hyperverbs.vmm.hypercall.wire.NetworkReply;
import io.hyperverbs.vmm.hypercall.wire.ReadyCall;
import io.hyperverbs.vmm.hypercall.wire.StoreReadCall;
import io.hyperverbs.vmm.hypercall.wire.StoreValueReply;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.hypercall.wire.TakeNetworkCall;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PipeWriter;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A domain's hypercalls over its own socket. Callable from any thread. */
public final class HypercallClient implements Hypercalls {
    private final HypercallChannel channel;
    private final Boot boot;
    private final Arena ramArena;
    private final List<ExecutableMemory> executables;
    private final @Nullable EventFd doorbell;
    private final @Nullable EventFd event;
    private final @Nullable PipeWriter verbsLog;
    private final @Nullable SynchronousCalls synchronous;
    private final Map<MappedExtent, Arena> grants = new ConcurrentHashMap<>();

    private HypercallClient(
            HypercallChannel channel,
            Boot boot,
            Arena ramArena,
            List<ExecutableMemory> executables,
            @Nullable EventFd doorbell,
            @Nullable EventFd event,
            @Nullable PipeWriter verbsLog,
            @Nullable SynchronousCalls synchronous) {
        this.channel = channel;
        this.boot = boot;
        this.ramArena = ramArena;
        this.executables = List.copyOf(executables);
        this.doorbell = doorbell;
        this.event = event;
        this.verbsLog = verbsLog;
        this.synchronous = synchronous;
    }

    /**
     * Connects, says who we are, and maps this domain's memory.
     *
     * @param socket hypercall.sock in the domain's folder
     * @param token launch token, hexadecimal
     * @throws IOException if nobody listens, or the memory cannot be mapped
     * @throws HypercallException EPERM for a wrong token
     */
    public static HypercallClient connect(Path socket, String token) throws IOException, HypercallException {
        HypercallChannel channel = HypercallChannel.connect(socket);
        // Only an established connection that ends is a VMM that is gone.
        channel.onVmmGone(() -> {});
        List<Fd> descriptors = List.of();
        try {
            HelloCall hello = HelloCall.newBuilder()
                    .setToken(ByteString.copyFrom(HexFormat.of().parseHex(token)))
                    .build();
            HypercallChannel.Answer answer =
                    channel.call(HypercallRequest.newBuilder().setHello(hello));
            descriptors = answer.descriptors();
            HypercallClient client = boot(channel, answer.reply().getBoot(), descriptors);
            channel.onVmmGone(() -> Runtime.getRuntime().halt(1));
            return client;
        } catch (IOException | HypercallException | RuntimeException e) {
            descriptors.forEach(Fd::close);
            channel.close();
            throw e;
        }
    }

    private static HypercallClient boot(HypercallChannel channel, BootReply reply, List<Fd> descriptors)
            throws PosixException {
        Arena arena = Arena.ofShared();
        List<MappedExtent> ram = new ArrayList<>();
        int next = 0;
        for (ExtentMessage extent : reply.getRamList()) {
            try (Fd memfd = descriptors.get(next++)) {
                ram.add(map(extent, memfd, false, arena));
            }
        }
        Boot boot = new Boot(reply.getDomain(), reply.getName(), ram, reply.getSettingsMap());
        List<ExecutableMemory> executables = new ArrayList<>();
        for (ExtentMessage extent : reply.getExecutablesList()) {
            executables.add(
                    new ExecutableMemory(extent.getFirstMachineFrame(), extent.getFrames(), descriptors.get(next++)));
        }
        // The backend domain has no doorbell: it is the one that is rung.
        if (next + 1 >= descriptors.size()) {
            SynchronousCalls synchronous =
                    next < descriptors.size() ? new SynchronousCalls(descriptors.get(next)) : null;
            return new HypercallClient(channel, boot, arena, executables, null, null, null, synchronous);
        }
        return new HypercallClient(
                channel,
                boot,
                arena,
                executables,
                EventFd.of(descriptors.get(next)),
                EventFd.of(descriptors.get(next + 1)),
                descriptors.size() > next + 2 ? new PipeWriter(descriptors.get(next + 2)) : null,
                null);
    }

    static MappedExtent map(ExtentMessage extent, Fd memfd, boolean readOnly, Arena arena) throws PosixException {
        return new MappedExtent(
                extent.getFirstMachineFrame(),
                extent.getFrames(),
                WireExtents.kind(extent.getKind()),
                MemoryMap.map(memfd, extent.getFrames() * FrameTable.FRAME_BYTES, readOnly, arena));
    }

    /** For {@link BackendHypercallClient}, whose calls that wait go the same way. */
    HypercallChannel channel() {
        return channel;
    }

    /** A call that the VMM answers at once, by whichever way brings the answer sooner. */
    HypercallChannel.Answer callAtOnce(HypercallRequest.Builder request) throws HypercallException {
        HypercallChannel.Answer answer = synchronous == null ? null : synchronous.tryCall(request);
        return answer == null ? channel.call(request) : answer;
    }

    @Override
    public Boot boot() {
        return boot;
    }

    /** Where a posted event is announced; guests only. */
    public Optional<EventFd> eventFd() {
        return Optional.ofNullable(event);
    }

    /** What wakes the HCA; guests only. */
    public Optional<EventFd> doorbellFd() {
        return Optional.ofNullable(doorbell);
    }

    /** RAM for executables, of which each has one; guests only. */
    public List<ExecutableMemory> executableMemories() {
        return executables;
    }

    /** Where lines of the verb log go, which the VMM writes down; guests only. */
    public Optional<PipeWriter> verbsLog() {
        return Optional.ofNullable(verbsLog);
    }

    @Override
    public Optional<NetworkDevice> takeNetwork() throws HypercallException {
        return takeNetwork(0);
    }

    /**
     * @param onBehalfOf a native domain, or 0
     */
    Optional<NetworkDevice> takeNetwork(int onBehalfOf) throws HypercallException {
        try {
            HypercallChannel.Answer answer = channel.call(HypercallRequest.newBuilder()
                    .setTakeNetwork(TakeNetworkCall.newBuilder().setOnBehalfOf(onBehalfOf)));
            NetworkReply network = answer.reply().getNetwork();
            return Optional.of(new NetworkDevice(answer.descriptor(), network.getMtu(), Path.of(network.getLists())));
        } catch (HypercallException e) {
            if (e.status() == VerbsStatus.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void ready() throws HypercallException {
        channel.call(HypercallRequest.newBuilder().setReady(ReadyCall.getDefaultInstance()));
    }

    /**
     * The memory file of a grant, for programs that go below the driver.
     *
     * @throws HypercallException as {@link #mapGrant}
     */
    public Fd grantedFile(long reference) throws HypercallException {
        return askForGrant(reference).descriptor();
    }

    private HypercallChannel.Answer askForGrant(long reference) throws HypercallException {
        return channel.call(HypercallRequest.newBuilder()
                .setMapGrant(MapGrantCall.newBuilder().setReference(reference)));
    }

    @Override
    public MappedExtent mapGrant(long reference) throws HypercallException {
        HypercallChannel.Answer answer = askForGrant(reference);
        var mapped = answer.reply().getMapped();
        Arena arena = Arena.ofShared();
        try (Fd memfd = answer.descriptor()) {
            MappedExtent extent = map(mapped.getExtent(), memfd, mapped.getReadOnly(), arena);
            grants.put(extent, arena);
            return extent;
        } catch (PosixException e) {
            arena.close();
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        }
    }

    @Override
    public void unmap(MappedExtent extent) {
        Arena arena = grants.remove(extent);
        if (arena != null) {
            arena.close();
        }
    }

    /**
     * For a process that is about to end: its JVM does not wait for our thread then. Calls go on as before. Does not
     * wait for the VMM.
     */
    public void prepareForEnd() {
        StoreReadCall.Builder read = StoreReadCall.newBuilder().setPath("domain/" + boot.name() + "/end");
        channel.prepareForEnd(HypercallRequest.newBuilder().setStoreRead(read));
    }

    @Override
    public void storeWrite(String key, String value) throws HypercallException {
        write(StoreWriteCall.newBuilder().setKey(key).setValue(value));
    }

    @Override
    public void storeRemove(String key) throws HypercallException {
        write(StoreWriteCall.newBuilder().setKey(key).setRemove(true));
    }

    void write(StoreWriteCall.Builder write) throws HypercallException {
        channel.call(HypercallRequest.newBuilder().setStoreWrite(write));
    }

    @Override
    public Optional<String> storeRead(String path, Duration wait) throws HypercallException {
        long millis = Math.clamp(wait.toMillis(), 0, Integer.MAX_VALUE);
        StoreReadCall.Builder read = StoreReadCall.newBuilder().setPath(path).setWaitMillis((int) millis);
        StoreValueReply value = channel.call(HypercallRequest.newBuilder().setStoreRead(read))
                .reply()
                .getStoreValue();
        return value.getPresent() ? Optional.of(value.getValue()) : Optional.empty();
    }

    @Override
    public void ringDoorbellEvent() {
        if (doorbell != null) {
            doorbell.signal();
        }
    }

    @Override
    public void onVmmGone(Runnable action) {
        channel.onVmmGone(action);
    }

    /** Ends the connection and unmaps this domain's memory, which nobody may use any more. */
    @Override
    public void close() {
        channel.close();
        if (synchronous != null) {
            synchronous.close();
        }
        grants.values().forEach(Arena::close);
        grants.clear();
        ramArena.close();
        executables.forEach(memory -> memory.memfd().close());
        if (doorbell != null) {
            doorbell.close();
        }
        if (event != null) {
            event.close();
        }
        if (verbsLog != null) {
            verbsLog.close();
        }
    }
}
