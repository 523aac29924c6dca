package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Queries to the subnet administrator (IBA ch. 15, {@code ib_sa_*}); forwarded like privileged
 * verbs (Liu 2006 §4.4). Callable from any thread.
 */
public interface SubnetAdministration {
    /** A context that has it, which all contexts of drivers are. */
    interface Provider {
        SubnetAdministration subnetAdministration();
    }

    /**
     * That of a context.
     *
     * @throws IllegalArgumentException if it has none
     */
    static SubnetAdministration of(Context context) {
        if (context instanceof Provider provider) {
            return provider.subnetAdministration();
        }
        throw new IllegalArgumentException("a context without subnet administration: " + context);
    }

    /** A lease that does not end before the session. */
    Duration FOR_EVER = Duration.ofSeconds(0xffff_ffffL);

    /** The GID of this domain, which no other domain has. */
    Gid gid() throws VerbsException;

    /**
     * The path from this port to another ({@code ib_sa_path_rec_get}).
     *
     * @throws VerbsException ENOENT if nobody is there; EINVAL for a multicast GID or LID
     */
    PathRecord path(Destination to) throws VerbsException;

    /**
     * Joins a multicast group; a full member's join creates it ({@code ib_sa_join_multicast}).
     *
     * @param group {@code ff00::/8}, or all zero to have one assigned
     * @param states at least one
     * @param qkey of the group when it is created; of a group that exists it must be the same
     * @throws VerbsException EINVAL for another Q_Key, a GID that is no group's, or a join of a
     *     group that is not there by others than full members; EAGAIN above the quota; ENOMEM when
     *     there are no multicast LIDs left
     */
    MulticastMembership join(Gid group, Set<JoinState> states, int qkey) throws VerbsException;

    /** The members of a group, one record a port; empty if there is no such group. */
    List<MemberRecord> members(Gid group) throws VerbsException;

    /**
     * Registers a service of this port; a record of the same id that this port has is replaced.
     *
     * @param lease how long it stands, at least a second; {@link #FOR_EVER}: as long as the session
     * @throws VerbsException EINVAL for id 0, a name or data too long, or a lease too short; EAGAIN
     *     above the quota
     */
    ServiceRegistration register(long id, String name, PrivateData data, Duration lease) throws VerbsException;

    /** Services by id, at most 128. */
    List<ServiceRecord> services(long id) throws VerbsException;

    /** Services by name, at most 128. */
    List<ServiceRecord> services(String name) throws VerbsException;
}
