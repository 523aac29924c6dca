package io.hyperverbs.vmm.control;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.wire.AwaitDomainRequest;
import io.hyperverbs.vmm.control.wire.AwaitOutputReply;
import io.hyperverbs.vmm.control.wire.AwaitOutputRequest;
import io.hyperverbs.vmm.control.wire.CaptureChunk;
import io.hyperverbs.vmm.control.wire.CaptureRequest;
import io.hyperverbs.vmm.control.wire.DescribeSessionRequest;
import io.hyperverbs.vmm.control.wire.DomainReply;
import io.hyperverbs.vmm.control.wire.MachineGrpc;
import io.hyperverbs.vmm.control.wire.ReadContextMemoryReply;
import io.hyperverbs.vmm.control.wire.ReadContextMemoryRequest;
import io.hyperverbs.vmm.control.wire.ScheduleFaultsReply;
import io.hyperverbs.vmm.control.wire.ScheduleFaultsRequest;
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
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.FaultCounts;
import io.hyperverbs.vmm.domain.Machine;
import io.hyperverbs.vmm.domain.MachineCapture;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.MachineFaults;
import io.hyperverbs.vmm.domain.MachineStreams;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.posix.InputPipe;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.store.StorePath;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gRPC service: each call on a thread of its own, which may wait. */
final class MachineService extends MachineGrpc.MachineImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(MachineService.class);

    /** The one name whose keys the toolstack writes. */
    private static final String TOOL = "tool";

    private final Machine machine;
    private final MachineFaults faults;
    private final MachineStreams streams;
    private final String name;
    private final String description;
    private final ContextMemoryView contextMemory;
    private final Runnable shutdown;

    MachineService(Machine machine, String name, String description, Runnable shutdown) {
        this.machine = machine;
        this.faults = new MachineFaults(machine);
        this.streams = new MachineStreams(machine);
        this.name = name;
        this.description = description;
        this.contextMemory = new ContextMemoryView(machine.frames());
        this.shutdown = shutdown;
    }

    private interface Work<T> {
        T get() throws MachineException;
    }

    private static <T> void answer(StreamObserver<T> observer, Work<T> work) {
        T reply;
        try {
            reply = work.get();
        } catch (MachineException e) {
            observer.onError(MachineErrors.encode(e));
            return;
        } catch (RuntimeException | Error e) {
            LOG.error("request failed", e);
            observer.onError(MachineErrors.encode(new MachineException(
                    e instanceof OutOfMemoryError ? VerbsStatus.ENOMEM : VerbsStatus.EIO, "internal error: " + e)));
            return;
        }
        observer.onNext(reply);
        observer.onCompleted();
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusReply> observer) {
        FaultCounts counts = faults.counts();
        answer(
                observer,
                () -> StatusReply.newBuilder()
                        .setTopology(name)
                        .setVmmPid(ProcessHandle.current().pid())
                        .setSandboxTier(machine.sandboxTier())
                        .setGroups(machine.groups().format())
                        .addAllDomains(machine.domains().stream()
                                .map(DomainCodec::encode)
                                .toList())
                        .setDescription(description)
                        .setFaultsPlanned(counts.planned())
                        .setFaultsDone(counts.done())
                        .setFaultsFailed(counts.failed())
                        .build());
    }

    @Override
    public void startDomain(StartDomainRequest request, StreamObserver<DomainReply> observer) {
        answer(observer, () -> DomainCodec.encode(machine.start(DomainCodec.decode(request))));
    }

    @Override
    public void stopDomain(StopDomainRequest request, StreamObserver<DomainReply> observer) {
        answer(
                observer,
                () -> DomainCodec.encode(machine.stop(request.getName(), Math.max(0, request.getGraceMillis()))));
    }

    @Override
    public void awaitDomain(AwaitDomainRequest request, StreamObserver<DomainReply> observer) {
        Context context = Context.current();
        Context.CancellationListener wake = cancelled -> machine.wakeWaiters();
        context.addListener(wake, Runnable::run);
        try {
            answer(observer, () -> DomainCodec.encode(await(request, context)));
        } finally {
            context.removeListener(wake);
        }
    }

    private DomainReport await(AwaitDomainRequest request, Context context) throws MachineException {
        Set<DomainState> states = EnumSet.noneOf(DomainState.class);
        for (var state : request.getStatesList()) {
            states.add(DomainCodec.state(state));
        }
        return machine.await(
                request.getName(), states, Integer.toUnsignedLong(request.getTimeoutMillis()), context::isCancelled);
    }

    @Override
    public void writeInput(WriteInputRequest request, StreamObserver<WriteInputReply> observer) {
        answer(observer, () -> input(request));
    }

    private WriteInputReply input(WriteInputRequest request) throws MachineException {
        InputPipe input = streams.input(request.getName());
        byte[] bytes = request.getBytes().toByteArray();
        if (request.getEnd()) {
            input.close();
            return WriteInputReply.newBuilder().setTaken(true).build();
        }
        if (bytes.length > InputPipe.MAX_BYTES) {
            throw new MachineException(
                    VerbsStatus.EINVAL, bytes.length + " bytes of input, at most " + InputPipe.MAX_BYTES + " at once");
        }
        try {
            return WriteInputReply.newBuilder().setTaken(input.write(bytes)).build();
        } catch (PosixException e) {
            throw new MachineException(
                    VerbsStatus.EIO, "domain " + request.getName() + " reads no input: " + e.getMessage());
        }
    }

    @Override
    public void awaitOutput(AwaitOutputRequest request, StreamObserver<AwaitOutputReply> observer) {
        answer(
                observer,
                () -> AwaitOutputReply.newBuilder()
                        .setWritten(streams.awaitWritten(
                                request.getName(), Integer.toUnsignedLong(request.getTimeoutMillis())))
                        .build());
    }

    @Override
    public void storeWrite(StoreWriteRequest request, StreamObserver<StoreReply> observer) {
        answer(observer, () -> write(request));
    }

    private StoreReply write(StoreWriteRequest request) throws MachineException {
        StorePath path = path(request.getPath());
        if (!path.name().equals(TOOL)) {
            throw new MachineException(VerbsStatus.EPERM, "the toolstack writes below domain/tool alone");
        }
        if (request.getRemove()) {
            machine.store().remove(path);
            return StoreReply.getDefaultInstance();
        }
        VerbsStatus status = machine.store().write(path, request.getValue());
        if (status != VerbsStatus.SUCCESS) {
            throw new MachineException(status, "store quota used up");
        }
        return StoreReply.newBuilder()
                .setPresent(true)
                .setValue(request.getValue())
                .build();
    }

    @Override
    public void storeRead(StoreReadRequest request, StreamObserver<StoreReply> observer) {
        answer(observer, () -> read(request));
    }

    private StoreReply read(StoreReadRequest request) throws MachineException {
        StorePath path = path(request.getPath());
        Optional<String> value = machine.store().read(path);
        if (value.isEmpty() && request.getWaitMillis() != 0) {
            value = await(path, Integer.toUnsignedLong(request.getWaitMillis()));
        }
        StoreReply.Builder reply = StoreReply.newBuilder().setPresent(value.isPresent());
        value.ifPresent(reply::setValue);
        return reply.build();
    }

    private Optional<String> await(StorePath path, long millis) throws MachineException {
        CompletableFuture<String> value = machine.store().await(path);
        // A caller that is gone ends the wait.
        Context.CancellationListener cancel = cancelled -> value.cancel(false);
        Context context = Context.current();
        context.addListener(cancel, Runnable::run);
        try {
            return Optional.of(value.get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        } catch (CancellationException e) {
            throw new MachineException(VerbsStatus.EINTR, "cancelled");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        } finally {
            value.cancel(false);
            context.removeListener(cancel);
        }
    }

    private static StorePath path(String text) throws MachineException {
        StorePath path = StorePath.parse(text);
        if (path == null) {
            throw new MachineException(VerbsStatus.EINVAL, text + " is not a path domain/<name>/<key>");
        }
        return path;
    }

    @Override
    public void readContextMemory(ReadContextMemoryRequest request, StreamObserver<ReadContextMemoryReply> observer) {
        answer(observer, () -> {
            ContextSnapshot read = contextMemory.read(
                    machine.deviceDomain(request.getHca()), request.getOffset(), request.getLength());
            return ReadContextMemoryReply.newBuilder()
                    .setBytes(ByteString.copyFrom(read.bytes()))
                    .setTotalBytes(read.totalBytes())
                    .build();
        });
    }

    @Override
    public void setPort(SetPortRequest request, StreamObserver<SetPortReply> observer) {
        answer(observer, () -> {
            machine.setPort(request.getHca(), request.getPort(), request.getUp());
            return SetPortReply.getDefaultInstance();
        });
    }

    @Override
    public void setLink(SetLinkRequest request, StreamObserver<SetLinkReply> observer) {
        answer(observer, () -> {
            machine.setLink(request.getFirst(), request.getSecond(), request.getSettings());
            return SetLinkReply.getDefaultInstance();
        });
    }

    @Override
    public void scheduleFaults(ScheduleFaultsRequest request, StreamObserver<ScheduleFaultsReply> observer) {
        answer(observer, () -> {
            faults.begin(FaultCodec.decode(request));
            return ScheduleFaultsReply.getDefaultInstance();
        });
    }

    @Override
    public void capture(CaptureRequest request, StreamObserver<CaptureChunk> observer) {
        try (MachineCapture capture = machine.capture(request.getHca(), CaptureStream.settings(request))) {
            new CaptureStream(capture, (ServerCallStreamObserver<CaptureChunk>) observer, machine::isClosing).run();
        } catch (MachineException e) {
            observer.onError(MachineErrors.encode(e));
            return;
        }
        if (!Context.current().isCancelled()) {
            observer.onCompleted();
        }
    }

    @Override
    public void describeSession(DescribeSessionRequest request, StreamObserver<SessionReportMessage> observer) {
        answer(observer, () -> machine.describeSession(request.getName(), request.getAfter()));
    }

    @Override
    public void shutdown(ShutdownRequest request, StreamObserver<ShutdownReply> observer) {
        answer(observer, () -> {
            machine.close();
            return ShutdownReply.getDefaultInstance();
        });
        shutdown.run();
    }
}
