package io.hyperverbs.frontend.program;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.vmm.hypercall.HypercallException;
import java.nio.file.Path;

/** A guest's queue of programs, served by a thread that ends with this process. */
final class ServedQueue {
    private ServedQueue() {}

    /** Returns the thread. */
    static Thread start(MadeMachine.Guest guest, DriverDomain domain, Path app) {
        ProgramQueue queue = new ProgramQueue(guest, domain, app, domain::closeLeftBy);
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                queue.serve();
            } catch (HypercallException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The store's key of a program that the guest is to run. */
    static String key(MadeMachine.Guest guest, int number) {
        return "domain/tool/exec/" + guest.boot().domain() + "/" + number;
    }
}
