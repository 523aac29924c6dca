package io.hyperverbs.verbs;

import java.util.List;

/** The virtual machine a program runs in: its name, its RAM, the store and its devices. */
public interface Domain {
    /**
     * The domain of the calling thread and of the threads it started.
     *
     * @throws IllegalStateException outside a domain: start the program with {@code hv run}
     */
    static Domain current() {
        return DomainProvider.current();
    }

    /** The name the topology gives it. */
    String name();

    /** RAM of this domain, out of which every buffer for verbs comes. */
    DomainMemory memory();

    /** Small key-value store shared by the domains of a topology. */
    Store store();

    /** The devices this domain may open ({@code ibv_get_device_list}). */
    List<Device> devices();
}
