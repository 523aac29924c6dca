package io.hyperverbs.verbs;

/** An HCA as this domain sees it ({@code ibv_device}). */
public interface Device {
    /** Such as {@code hv0}. */
    String name();

    /** Opens the device on the domain's own data path ({@code ibv_open_device}). */
    Context open() throws VerbsException;

    /**
     * Opens the device on a named data path, so that one program can compare them.
     *
     * @throws VerbsException EAGAIN above the context quota; EIO if the backend does not answer
     */
    Context open(DataPathKind dataPath) throws VerbsException;
}
