package io.hyperverbs.lab.nas;

import mpi.MPIException;

/** Another rank cannot be reached; the run is over. Unchecked: no kernel can go on. */
public final class LostPeers extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LostPeers(MPIException cause) {
        super(cause.getMessage(), cause);
    }
}
