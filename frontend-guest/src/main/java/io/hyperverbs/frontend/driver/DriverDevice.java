package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.VerbsException;

/** The HCA as this domain sees it: root of its contexts. Any thread. */
public final class DriverDevice extends VerbsNode implements Device {
    private final String name;
    private final DriverParts parts;
    private final DataPathKind defaultPath;

    public DriverDevice(String name, DriverParts parts, DataPathKind defaultPath) {
        this.name = name;
        this.parts = parts;
        this.defaultPath = defaultPath;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Context open() throws VerbsException {
        return open(defaultPath);
    }

    @Override
    public Context open(DataPathKind dataPath) throws VerbsException {
        requireOpen();
        return DriverContext.open(this, parts, dataPath);
    }

    /**
     * Closes the contexts that threads of {@code program} opened, with all that depends on them.
     * Threads that poll their queues after that end by {@link io.hyperverbs.verbs.ProgramExit}.
     * What cannot be closed any more goes with the session.
     */
    public void closeContextsOf(ThreadGroup program) {
        for (VerbsNode child : children().reversed()) {
            if (child instanceof DriverContext context && context.isOpenedBy(program)) {
                context.endProgram();
                context.closeWithChildren(_ -> {});
            }
        }
    }

    @Override
    public String describe() {
        return "device " + name;
    }

    @Override
    protected void destroy() {}
}
