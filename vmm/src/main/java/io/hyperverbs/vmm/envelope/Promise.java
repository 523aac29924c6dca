package io.hyperverbs.vmm.envelope;

/** What a guest is kept from, as a person reads it. */
public enum Promise {
    OTHERS("others' processes and memory"),
    FILES("files outside"),
    NETWORK("network and others' sockets"),
    CALLS("system calls"),
    DISK("disk"),
    MEMORY("memory"),
    PROCESSES("processes and threads"),
    PROCESSOR("processor share"),
    ENGINE_CORE("the engine's core");

    private final String what;

    Promise(String what) {
        this.what = what;
    }

    /** What it is about. */
    public String what() {
        return what;
    }
}
