package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.List;
import java.util.Map;

/**
 * Notices of the VMM to the backend domain about other domains, and the operator's requests;
 * each is to be acknowledged.
 */
public sealed interface DomainNotice {
    /** To be given back in {@link BackendHypercalls#acknowledge}. */
    long notice();

    /** The domain concerned; 0: the HCA itself. */
    int domain();

    /**
     * A domain is about to start. It starts after a successful acknowledgement: by then device.sock
     * listens in a guest's folder.
     *
     * @param folder folder of this domain alone, with the programs that it gets later
     * @param uid user that may connect to the socket; 0: this process's own
     * @param token hexadecimal; what the domain will present, besides its socket
     * @param ram its memory, mapped into {@link BackendHypercalls#machineMemory}
     * @param doorbellEventFd readable when the domain rang while the HCA slept; -1 for a native
     *     domain
     */
    record Added(
            long notice,
            int domain,
            String name,
            boolean nativeDomain,
            String folder,
            int uid,
            String token,
            List<MappedExtent> ram,
            int doorbellEventFd,
            Map<String, String> settings,
            String mainClass,
            List<String> args,
            List<String> classPath,
            String logFile)
            implements DomainNotice {}

    /**
     * A domain ended. Its frames are freed after the acknowledgement: by then no copy into them is
     * in flight.
     */
    record Removed(long notice, int domain) implements DomainNotice {}

    /**
     * The operator wants to see what this process has of a domain; told by {@link
     * BackendHypercalls#report}.
     *
     * @param after only connection manager ids with larger numbers
     */
    record SessionAsked(long notice, int domain, int after) implements DomainNotice {}

    /** A port of the HCA is to go up or down; {@code port} from 1. */
    record PortSet(long notice, int port, boolean up) implements DomainNotice {
        @Override
        public int domain() {
            return 0;
        }
    }

    /**
     * What passes the HCA is to be captured, until {@link CaptureStopped}.
     *
     * @param ports bit n for port n, from 1
     * @param verbs whether control verbs are, too
     * @param snapBytes the most that is taken of a packet
     * @param rings where to
     */
    record CaptureStarted(long notice, int ports, boolean verbs, int snapBytes, CaptureRings rings)
            implements DomainNotice {
        @Override
        public int domain() {
            return 0;
        }
    }

    /** Nothing is to be captured any more. */
    record CaptureStopped(long notice) implements DomainNotice {
        @Override
        public int domain() {
            return 0;
        }
    }

    /**
     * What is to happen to packets that come from another HCA.
     *
     * @param neighbour name of that HCA
     * @param settings such as {@code loss=1% delay=10us}, or {@code none}: all that holds from now on
     */
    record LinkSet(long notice, String neighbour, String settings) implements DomainNotice {
        @Override
        public int domain() {
            return 0;
        }
    }
}
