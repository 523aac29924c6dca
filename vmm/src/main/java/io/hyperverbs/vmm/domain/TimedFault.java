package io.hyperverbs.vmm.domain;

/** What a machine does to itself at a time, as its topology says. Immutable. */
public sealed interface TimedFault {
    /** When, in nanoseconds from the beginning of its schedule. */
    long atNanos();

    /** In words for the log, such as {@code link hv0-hv1 down=true}. */
    String words();

    /**
     * What happens to packets on a link from then on, at those of its ends that this machine has.
     *
     * @param first name of an HCA; {@code second} of the other
     * @param settings in the words of topologies: all that holds from then on
     */
    record SetLink(long atNanos, String first, String second, String settings) implements TimedFault {
        @Override
        public String words() {
            return "link " + first + "-" + second + " " + settings;
        }
    }

    /**
     * A domain's process is killed, as by SIGKILL: it has no time to end by itself.
     *
     * @param domain name of a guest or of a device domain
     */
    record Kill(long atNanos, String domain) implements TimedFault {
        @Override
        public String words() {
            return "kill " + domain;
        }
    }

    /**
     * The VMM ends at once, as when its computer loses power, and its domains and the node with it.
     *
     * @param host name of the host that this machine is on
     */
    record EndHost(long atNanos, String host) implements TimedFault {
        @Override
        public String words() {
            return "end host " + host;
        }
    }
}
