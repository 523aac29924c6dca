package io.hyperverbs.vmm.control;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.wire.DomainReply;
import io.hyperverbs.vmm.control.wire.StartDomainRequest;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.StartTimes;
import java.nio.file.Path;
import java.util.Optional;

/** Between the records of this package and their messages. */
final class DomainCodec {
    private DomainCodec() {}

    static StartDomainRequest encode(DomainSpec spec) {
        StartDomainRequest.Builder request = StartDomainRequest.newBuilder();
        spec.startArchive().ifPresent(file -> request.setStartArchive(file.toString()));
        return request.setName(spec.name())
                .setKind(wire(spec.kind()))
                .setMemoryBytes(spec.memoryBytes())
                .addAllClassPath(spec.classPath().stream().map(Path::toString).toList())
                .addAllJvmOptions(spec.jvmOptions())
                .setMainClass(spec.mainClass())
                .addAllArgs(spec.args())
                .putAllSettings(spec.settings())
                .build();
    }

    static DomainSpec decode(StartDomainRequest request) throws MachineException {
        return new DomainSpec(
                request.getName(),
                kind(request.getKind()),
                request.getMemoryBytes(),
                request.getClassPathList().stream().map(Path::of).toList(),
                Optional.of(request.getStartArchive())
                        .filter(file -> !file.isEmpty())
                        .map(Path::of),
                request.getJvmOptionsList(),
                request.getMainClass(),
                request.getArgsList(),
                request.getSettingsMap());
    }

    static DomainReply encode(DomainReport report) {
        return DomainReply.newBuilder()
                .setName(report.name())
                .setId(report.id())
                .setKind(wire(report.kind()))
                .setState(wire(report.state()))
                .setPid(report.pid())
                .setMemoryBytes(report.memoryBytes())
                .setStartedEpochMillis(report.startedEpochMillis())
                .setExitCode(report.exitCode())
                .setMessage(report.message())
                .setLogFile(report.logFile())
                .setSandboxTier(report.sandboxTier())
                .setFolder(report.folder())
                .setNetwork(report.network())
                .setHca(report.hca())
                .setStart(wire(report.start()))
                .build();
    }

    static DomainReport decode(DomainReply reply) throws MachineException {
        return new DomainReport(
                reply.getName(),
                reply.getId(),
                kind(reply.getKind()),
                state(reply.getState()),
                reply.getPid(),
                reply.getMemoryBytes(),
                reply.getStartedEpochMillis(),
                reply.getExitCode(),
                reply.getMessage(),
                reply.getLogFile(),
                reply.getSandboxTier(),
                reply.getFolder(),
                reply.getNetwork(),
                reply.getHca(),
                times(reply.getStart()));
    }

    private static io.hyperverbs.vmm.control.wire.StartTimes wire(StartTimes times) {
        return io.hyperverbs.vmm.control.wire.StartTimes.newBuilder()
                .setAnnouncedMillis(times.announcedMillis())
                .setProcessMillis(times.processMillis())
                .setConnectedMillis(times.connectedMillis())
                .setReadyMillis(times.readyMillis())
                .build();
    }

    private static StartTimes times(io.hyperverbs.vmm.control.wire.StartTimes times) {
        return new StartTimes(
                times.getProcessMillis(),
                times.getAnnouncedMillis(),
                times.getConnectedMillis(),
                times.getReadyMillis());
    }

    static io.hyperverbs.vmm.control.wire.DomainState wire(DomainState state) {
        return switch (state) {
            case STARTING -> io.hyperverbs.vmm.control.wire.DomainState.STARTING;
            case RUNNING -> io.hyperverbs.vmm.control.wire.DomainState.RUNNING;
            case DYING -> io.hyperverbs.vmm.control.wire.DomainState.DYING;
            case SHUT_DOWN -> io.hyperverbs.vmm.control.wire.DomainState.SHUT_DOWN;
            case CRASHED -> io.hyperverbs.vmm.control.wire.DomainState.CRASHED;
        };
    }

    static DomainState state(io.hyperverbs.vmm.control.wire.DomainState state) throws MachineException {
        return switch (state) {
            case STARTING -> DomainState.STARTING;
            case RUNNING -> DomainState.RUNNING;
            case DYING -> DomainState.DYING;
            case SHUT_DOWN -> DomainState.SHUT_DOWN;
            case CRASHED -> DomainState.CRASHED;
            case DOMAIN_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw new MachineException(VerbsStatus.EINVAL, "no domain state " + state);
        };
    }

    private static io.hyperverbs.vmm.control.wire.DomainKind wire(DomainKind kind) {
        return switch (kind) {
            case BACKEND -> io.hyperverbs.vmm.control.wire.DomainKind.BACKEND;
            case GUEST -> io.hyperverbs.vmm.control.wire.DomainKind.GUEST;
            case NATIVE -> io.hyperverbs.vmm.control.wire.DomainKind.NATIVE;
        };
    }

    private static DomainKind kind(io.hyperverbs.vmm.control.wire.DomainKind kind) throws MachineException {
        return switch (kind) {
            case BACKEND -> DomainKind.BACKEND;
            case GUEST -> DomainKind.GUEST;
            case NATIVE -> DomainKind.NATIVE;
            case DOMAIN_KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw new MachineException(VerbsStatus.EINVAL, "no domain kind " + kind);
        };
    }
}
