package io.hyperverbs.frontend;

import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.vmm.posix.PipeWriter;
import io.hyperverbs.vmm.posix.PosixException;

/**
 * The verb log of a guest: a pipe to the VMM, which writes it down at its own pace.
 *
 * @param pipe owned by this
 */
record PipeSink(PipeWriter pipe) implements VerbTrace.Sink {
    @Override
    public boolean take(byte[] bytes, int length) throws PosixException {
        return pipe.write(bytes, length);
    }

    @Override
    public void close() {
        pipe.close();
    }
}
