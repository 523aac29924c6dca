package io.hyperverbs.frontend.tree;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A verbs object with those that depend on it. A child may have several parents: a queue pair
 * depends on its PD and on its completion queues. Any thread; a node's lock is held while it is
 * destroyed, and taken only child before parent.
 */
public abstract class VerbsNode implements VerbsObject {
    private final Set<VerbsNode> children = new LinkedHashSet<>();
    private final List<VerbsNode> parents = new ArrayList<>(3);
    private boolean closed;

    /** Destroys the object itself; it has no children then. On an exception it lives on. */
    protected abstract void destroy() throws VerbsException;

    /**
     * Makes this object depend on {@code parent}.
     *
     * @throws VerbsException EINVAL if the parent is closed
     */
    protected final void dependOn(VerbsNode parent) throws VerbsException {
        synchronized (parent) {
            parent.requireOpen();
            parent.children.add(this);
        }
        synchronized (this) {
            parents.add(parent);
        }
    }

    /** This object no longer depends on {@code parent}, but on another. */
    protected final void partFrom(VerbsNode parent) {
        parent.release(this);
        synchronized (this) {
            parents.remove(parent);
        }
    }

    /** Depends on nobody any more, after a creation that failed. */
    public final void abandon() {
        List<VerbsNode> former;
        synchronized (this) {
            former = List.copyOf(parents);
        }
        for (VerbsNode parent : former) {
            parent.release(this);
        }
    }

    /** What depends on this object now, eldest first. */
    protected final synchronized List<VerbsNode> children() {
        return List.copyOf(children);
    }

    /** EINVAL if the object is closed. */
    protected final synchronized void requireOpen() throws VerbsException {
        if (closed) {
            throw new VerbsException(VerbsStatus.EINVAL, describe() + " is closed");
        }
    }

    @Override
    public final void close() throws VerbsException {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!children.isEmpty()) {
                throw new VerbsException(VerbsStatus.EBUSY, describe() + " is in use by " + namesOfChildren());
            }
            destroy();
            closed = true;
        }
        abandon();
    }

    /**
     * Closes what depends on this object, youngest first, then the object; goes on after failures.
     */
    public final void closeWithChildren(Consumer<VerbsException> failures) {
        List<VerbsNode> eldestFirst;
        synchronized (this) {
            eldestFirst = List.copyOf(children);
        }
        for (VerbsNode child : eldestFirst.reversed()) {
            child.closeWithChildren(failures);
        }
        try {
            close();
        } catch (VerbsException e) {
            failures.accept(e);
        }
    }

    @Override
    public final String toString() {
        return describe();
    }

    private synchronized void release(VerbsNode child) {
        children.remove(child);
    }

    private String namesOfChildren() {
        List<String> names = new ArrayList<>(children.size());
        for (VerbsNode child : children) {
            names.add(child.describe());
        }
        return String.join(", ", names);
    }
}
