package io.hyperverbs.vmm.control;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.wire.AwaitDomainRequest;
import io.hyperverbs.vmm.control.wire.AwaitOutputRequest;
import io.hyperverbs.vmm.control.wire.DescribeSessionRequest;
import io.hyperverbs.vmm.control.wire.DomainReply;
import io.hyperverbs.vmm.control.wire.MachineGrpc;
import io.hyperverbs.vmm.control.wire.MachineGrpc.MachineBlockingStub;
import io.hyperverbs.vmm.control.wire.ReadContextMemoryReply;
import io.hyperverbs.vmm.control.wire.ReadContextMemoryRequest;
import io.hyperverbs.vmm.control.wire.ScheduleFaultsReply;
import io.hyperverbs.vmm.control.wire.SetLinkReply;
import io.hyperverbs.vmm.control.wire.SetLinkRequest;
import io.hyperverbs.vmm.control.wire.SetPortReply;
import io.hyperverbs.vmm.control.wire.SetPortRequest;
import io.hyperverbs.vmm.control.wire.ShutdownReply;
import io.hyperverbs.vmm.control.wire.ShutdownRequest;
import io.hyperverbs.vmm.control.wire.StartDomainRequest;
import io.hyperverbs.vmm.control.wire.StatusReply;
import io.hyperverbs.vmm.control.wire.StatusRequest;
import io.hyperverbs.vmm.control.wire.StopDomainRequest;
import io.hyperverbs.vmm.control.wire.StoreReadRequest;
import io.hyperverbs.vmm.control.wire.StoreReply;
import io.hyperverbs.vmm.control.wire.StoreWriteRequest;
import io.hyperverbs.vmm.control.wire.WriteInputReply;
import io.hyperverbs.vmm.control.wire.WriteInputRequest;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.FaultCounts;
import io.hyperverbs.vmm.domain.MachineCapture;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.TimedFault;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReportCodec;
import io.hyperverbs.vmm.posix.InputPipe;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The toolstack's connection to a VMM. Callable from any thread; every call ends by a deadline, and
 * fails with EIO when the VMM is gone.
 */
public final class MachineClient implements AutoCloseable {
    /** The most that is sent to a guest's standard input at once. */
    public static final int MAX_INPUT_BYTES = InputPipe.MAX_BYTES;

    private static final int MAX_MESSAGE_BYTES = 8 << 20;
    private static final Duration QUICK = Duration.ofSeconds(10);
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);

    /** What a call that waits gets besides its own time. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private final EventLoopGroup loop;
    private final ManagedChannel channel;

    private MachineClient(EventLoopGroup loop, ManagedChannel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * @param socket vmm.sock in the topology's state folder
     * @throws MachineException ENOENT if there is no such file; a VMM that does not answer shows at
     *     the first call
     */
    public static MachineClient connect(Path socket) throws MachineException {
        if (!Files.exists(socket)) {
            throw new MachineException(VerbsStatus.ENOENT, "no VMM at " + socket);
        }
        QuietNetty.silence();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .directExecutor()
                .usePlaintext()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .build();
        return new MachineClient(loop, channel);
    }

    private <T> T call(Duration deadline, Function<MachineBlockingStub, T> call) throws MachineException {
        try {
            return call.apply(
                    MachineGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS));
        } catch (StatusRuntimeException e) {
            throw MachineErrors.decode(e);
        }
    }

    public MachineReport status() throws MachineException {
        StatusReply reply = call(QUICK, machine -> machine.status(StatusRequest.getDefaultInstance()));
        List<DomainReport> domains = new ArrayList<>();
        for (DomainReply domain : reply.getDomainsList()) {
            domains.add(DomainCodec.decode(domain));
        }
        return new MachineReport(
                reply.getTopology(),
                reply.getVmmPid(),
                reply.getSandboxTier(),
                GroupsFound.parse(reply.getGroups()),
                domains,
                reply.getDescription(),
                new FaultCounts(reply.getFaultsPlanned(), reply.getFaultsDone(), reply.getFaultsFailed()));
    }

    /**
     * Starts a domain, and returns when its driver is ready.
     *
     * @throws MachineException EBUSY: name taken; EINVAL: bad name, or no backend domain yet;
     *     EPERM: no sandbox; ENOMEM; ETIMEDOUT or EIO: did not get ready. Nothing but a record of
     *     why and the console log is left.
     */
    public DomainReport startDomain(DomainSpec spec) throws MachineException {
        StartDomainRequest request = DomainCodec.encode(spec);
        DomainReply reply = call(START, machine -> machine.startDomain(request));
        return DomainCodec.decode(reply);
    }

    /**
     * Ends a domain, by force after {@code grace}; returns when its memory is free. No effect on
     * one that has ended.
     *
     * @throws MachineException ENOENT
     */
    public DomainReport stopDomain(String name, Duration grace) throws MachineException {
        StopDomainRequest request = StopDomainRequest.newBuilder()
                .setName(name)
                .setGraceMillis(millis(grace))
                .build();
        DomainReply reply = call(grace.plus(SLACK), machine -> machine.stopDomain(request));
        return DomainCodec.decode(reply);
    }

    /**
     * Waits until a domain is in one of some states.
     *
     * @throws MachineException ENOENT; ETIMEDOUT
     */
    public DomainReport awaitDomain(String name, Set<DomainState> states, Duration timeout) throws MachineException {
        AwaitDomainRequest request = AwaitDomainRequest.newBuilder()
                .setName(name)
                .addAllStates(states.stream().map(DomainCodec::wire).toList())
                .setTimeoutMillis(millis(timeout))
                .build();
        DomainReply reply = call(timeout.plus(SLACK), machine -> machine.awaitDomain(request));
        return DomainCodec.decode(reply);
    }

    /**
     * Sends bytes to the standard input of a guest whose settings ask for {@link
     * DomainSpec#INPUT_SETTING}.
     *
     * @param bytes at most {@link #MAX_INPUT_BYTES}
     * @return whether they were taken; else the guest has to read first
     * @throws MachineException ENOENT; EINVAL: not started for it; EIO: it reads no more
     */
    public boolean writeInput(String name, byte[] bytes) throws MachineException {
        WriteInputRequest request = WriteInputRequest.newBuilder()
                .setName(name)
                .setBytes(ByteString.copyFrom(bytes))
                .build();
        return call(QUICK, machine -> machine.writeInput(request)).getTaken();
    }

    /** Ends the standard input of such a guest. */
    public void endInput(String name) throws MachineException {
        WriteInputRequest request =
                WriteInputRequest.newBuilder().setName(name).setEnd(true).build();
        WriteInputReply _ = call(QUICK, machine -> machine.writeInput(request));
    }

    /**
     * Waits until what a domain printed before this call is in its log, and what it noted of its verbs in its verb log.
     *
     * @return false after {@code timeout}
     * @throws MachineException ENOENT
     */
    public boolean awaitOutput(String name, Duration timeout) throws MachineException {
        AwaitOutputRequest request = AwaitOutputRequest.newBuilder()
                .setName(name)
                .setTimeoutMillis(millis(timeout))
                .build();
        return call(timeout.plus(SLACK), machine -> machine.awaitOutput(request))
                .getWritten();
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 0, Integer.MAX_VALUE);
    }

    /**
     * Writes a key.
     *
     * @param path {@code domain/tool/<key>}
     * @throws MachineException EPERM for another name; EAGAIN above the quota
     */
    public void storeWrite(String path, String value) throws MachineException {
        StoreWriteRequest request =
                StoreWriteRequest.newBuilder().setPath(path).setValue(value).build();
        StoreReply _ = call(QUICK, machine -> machine.storeWrite(request));
    }

    /** Removes a key of {@code domain/tool}, if it is there. */
    public void storeRemove(String path) throws MachineException {
        StoreWriteRequest request =
                StoreWriteRequest.newBuilder().setPath(path).setRemove(true).build();
        StoreReply _ = call(QUICK, machine -> machine.storeWrite(request));
    }

    /**
     * Reads a key of any domain.
     *
     * @param wait how long to wait for it to exist; zero: not at all
     */
    public Optional<String> storeRead(String path, Duration wait) throws MachineException {
        StoreReadRequest request = StoreReadRequest.newBuilder()
                .setPath(path)
                .setWaitMillis(millis(wait))
                .build();
        StoreReply reply = call(wait.plus(SLACK), machine -> machine.storeRead(request));
        return reply.getPresent() ? Optional.of(reply.getValue()) : Optional.empty();
    }

    /**
     * Reads an HCA's on-board memory; empty of one that starts or has ended.
     *
     * @param hca its name; empty for the only one
     * @param lengthBytes at most 4 MiB
     * @throws MachineException ENOENT: no such HCA; EINVAL: several, and none is named
     */
    public ContextSnapshot readContextMemory(String hca, long offsetBytes, int lengthBytes) throws MachineException {
        ReadContextMemoryRequest request = ReadContextMemoryRequest.newBuilder()
                .setHca(hca)
                .setOffset(offsetBytes)
                .setLength(lengthBytes)
                .build();
        ReadContextMemoryReply reply = call(QUICK, machine -> machine.readContextMemory(request));
        return new ContextSnapshot(reply.getBytes().toByteArray(), reply.getTotalBytes());
    }

    /**
     * Takes a port of an HCA up or down; returns when it is so.
     *
     * @param hca its name; empty for the only one
     * @param port from 1
     * @throws MachineException ENOENT: no such HCA; EINVAL: no such port, or several HCAs and none is
     *     named; EIO: no backend domain
     */
    public void setPort(String hca, int port, boolean up) throws MachineException {
        SetPortRequest request =
                SetPortRequest.newBuilder().setHca(hca).setPort(port).setUp(up).build();
        SetPortReply _ = call(QUICK, machine -> machine.setPort(request));
    }

    /**
     * Sets what happens to packets on the link between two HCAs, in both directions; returns when both have it. Of
     * a link to another host's HCA that is the direction to this machine's.
     *
     * @param settings in the words of topologies, such as {@code loss=1% delay=10us}, or {@code none}: all that holds
     *     from now on
     * @throws MachineException ENOENT: no such HCA or link; EINVAL: settings that are none; EIO: no device domain;
     *     ETIMEDOUT. It says which HCA has them and which has not
     */
    public void setLink(String first, String second, String settings) throws MachineException {
        SetLinkRequest request = SetLinkRequest.newBuilder()
                .setFirst(first)
                .setSecond(second)
                .setSettings(settings)
                .build();
        SetLinkReply _ = call(QUICK, machine -> machine.setLink(request));
    }

    /**
     * Begins the machine's schedule of faults; times count from now.
     *
     * @throws MachineException EBUSY: it has one; EINVAL: a fault that is none, or too many
     */
    public void scheduleFaults(List<TimedFault> faults) throws MachineException {
        ScheduleFaultsReply _ = call(QUICK, machine -> machine.scheduleFaults(FaultCodec.encode(faults)));
    }

    /**
     * Captures what passes an HCA; returns when the capture is on.
     *
     * @param hca its name; empty for the only one
     * @throws MachineException ENOENT: no such HCA; EBUSY: it is being captured; EINVAL: settings that are none; ENOMEM;
     *     EIO: no device domain
     */
    public CaptureCall capture(String hca, MachineCapture.Settings settings) throws MachineException {
        return new CaptureCall(MachineGrpc.newBlockingStub(channel), hca, settings);
    }

    /**
     * What the backend domain has of a domain, besides what is in the HCA's memory.
     *
     * @param after only connection manager ids with larger numbers; a report has only so many
     * @throws MachineException ENOENT: the domain has no session, or is none; EIO: no backend
     */
    public SessionReport describeSession(String name, int after) throws MachineException {
        DescribeSessionRequest request = DescribeSessionRequest.newBuilder()
                .setName(name)
                .setAfter(after)
                .build();
        return SessionReportCodec.decode(call(QUICK, machine -> machine.describeSession(request)));
    }

    /** Ends all domains. The VMM ends after them, and removes its state folder; that is not waited for. */
    public void shutdown() throws MachineException {
        ShutdownReply _ = call(SHUTDOWN, machine -> machine.shutdown(ShutdownRequest.getDefaultInstance()));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        // Else the process would wait for its threads at exit.
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
