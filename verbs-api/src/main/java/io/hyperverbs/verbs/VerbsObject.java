package io.hyperverbs.verbs;

/**
 * A node in the tree of verbs objects. Closing destroys the object in the HCA. Closing twice does
 * nothing. Callable from any thread.
 */
public interface VerbsObject extends AutoCloseable {
    /** A short name for messages, such as {@code pd 3} or {@code qp 0x01f2a7}. */
    String describe();

    /**
     * Destroys the object.
     *
     * @throws VerbsException EBUSY while children live, naming them; EIO if the channel failed
     */
    @Override
    void close() throws VerbsException;
}
