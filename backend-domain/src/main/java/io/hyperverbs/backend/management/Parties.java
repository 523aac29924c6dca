package io.hyperverbs.backend.management;

import io.hyperverbs.backend.sa.GuestDirectory;
import io.hyperverbs.backend.sa.GuestLookup;
import io.hyperverbs.backend.sa.RemoteGuest;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import org.jspecify.annotations.Nullable;

/** Whom a guest means by a name or GID: a guest here, another HCA, or a guest there. Under the lock of {@link Management}. */
final class Parties {
    private final Subnet subnet;
    private final GuestDirectory directory;

    Parties(Subnet subnet, GuestDirectory directory) {
        this.subnet = subnet;
        this.directory = directory;
    }

    /**
     * Finds who is meant; null as long as other HCAs are asked for it.
     *
     * @throws Refusal ENOENT for nobody; EINVAL for what names none or many; EAGAIN if the asker has asked for too many
     */
    @Nullable
    CmParty find(CmSession asker, Destination to, long nowNanos) throws Refusal {
        CmSession guest = subnet.guest(to);
        if (guest != null) {
            if (subnet.pkey(asker, guest) == 0) {
                throw nobody();
            }
            return guest;
        }
        RemoteGuest hca = subnet.hca(to);
        if (hca != null) {
            return new CmParty.Remote(hca);
        }
        GuestLookup found = switch (to) {
            case Destination.Guest named -> directory.byName(asker.asker(), named.name(), nowNanos);
            case Destination.OfGid gid -> directory.byGid(asker.asker(), gid.gid(), nowNanos);
            case Destination.OfLid _ -> throw new Refusal(VerbsStatus.EINVAL, "a LID names the HCA, not a guest");
        };
        RemoteGuest remote = found.guest();
        return remote == null ? notYet(found) : new CmParty.Remote(remote);
    }

    private static @Nullable CmParty notYet(GuestLookup found) throws Refusal {
        return switch (found.state()) {
            case ASKED, FOUND -> null;
            case BUSY -> throw new Refusal(VerbsStatus.EAGAIN, "too many guests of other HCAs are looked for");
            case NOBODY ->
                throw found.silent() == 0
                        ? nobody()
                        : new Refusal(
                                VerbsStatus.ENOENT,
                                "no guest of that name or GID; " + found.silent() + " other HCAs do not answer");
        };
    }

    static Refusal nobody() {
        return new Refusal(VerbsStatus.ENOENT, "no guest of that name or GID");
    }
}
