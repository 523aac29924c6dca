package io.hyperverbs.vmm.domain;

/**
 * When the start of a domain had come how far, in milliseconds since the epoch; 0 for what has not
 * happened, or does not for a domain of its kind.
 *
 * @param processMillis its process had been started; never of a native domain
 * @param announcedMillis its device domain knew of it; never of a device domain
 * @param connectedMillis its JVM was up and the VMM had answered the greeting of its driver
 * @param readyMillis its driver said that it is ready
 */
public record StartTimes(long processMillis, long announcedMillis, long connectedMillis, long readyMillis) {
    /** Of a domain of which nothing is known. */
    public static final StartTimes NONE = new StartTimes(0, 0, 0, 0);
}
