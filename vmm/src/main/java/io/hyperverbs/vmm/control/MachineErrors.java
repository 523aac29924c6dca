package io.hyperverbs.vmm.control;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.MachineException;

/** Carries a {@link MachineException} over gRPC: its text as description, its status as trailer. */
final class MachineErrors {
    private static final Metadata.Key<String> STATUS = Metadata.Key.of("hv-status", Metadata.ASCII_STRING_MARSHALLER);

    private MachineErrors() {}

    static StatusRuntimeException encode(MachineException failure) {
        Metadata trailers = new Metadata();
        trailers.put(STATUS, Integer.toString(failure.status().code()));
        return Status.FAILED_PRECONDITION.withDescription(failure.getMessage()).asRuntimeException(trailers);
    }

    static MachineException decode(StatusRuntimeException failure) {
        Metadata trailers = failure.getTrailers();
        String code = trailers == null ? null : trailers.get(STATUS);
        String description = failure.getStatus().getDescription();
        String message = description == null ? failure.getStatus().getCode().name() : description;
        if (code != null) {
            return new MachineException(VerbsStatus.of(Integer.parseInt(code)), message);
        }
        return switch (failure.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> new MachineException(VerbsStatus.ETIMEDOUT, "the VMM does not answer in time");
            case UNAVAILABLE -> new MachineException(VerbsStatus.EIO, "the VMM is gone");
            case CANCELLED -> new MachineException(VerbsStatus.EINTR, "cancelled");
            default -> new MachineException(VerbsStatus.EIO, message);
        };
    }
}
