package io.hyperverbs.launcher.failure;

import io.hyperverbs.vmm.domain.MachineException;

/** What a refusal of the VMM means for who runs {@code hv}. */
public final class Failures {
    private Failures() {}

    public static HvException of(MachineException failure) {
        return of(failure, "");
    }

    public static HvException of(MachineException failure, String hint) {
        ExitCode exit = switch (failure.status()) {
            case EBUSY -> ExitCode.CONFLICT;
            case ENOENT -> ExitCode.NOT_FOUND;
            case ETIMEDOUT -> ExitCode.TIMEOUT;
            default -> ExitCode.FAILURE;
        };
        return new HvException(exit, String.valueOf(failure.getMessage()), hint);
    }
}
