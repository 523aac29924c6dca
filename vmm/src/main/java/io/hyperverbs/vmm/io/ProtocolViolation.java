package io.hyperverbs.vmm.io;

/**
 * A peer sent what no correct peer sends. Whoever sees it closes that peer's session and serves the
 * others.
 */
public final class ProtocolViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolViolation(String message) {
        super(message);
    }
}
