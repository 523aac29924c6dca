package io.hyperverbs.backend.sa;

import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.SaHeaderLayout;
import io.hyperverbs.backend.mad.ServiceRecordLayout;
import io.hyperverbs.verbs.Gid;

/** Answers HCAs of the topology that ask for a guest; others hear nothing. Stateless but for the outbox. */
public final class GuestAnswers {
    private static final long BY_NAME = ServiceRecordLayout.HAS_ID | ServiceRecordLayout.HAS_NAME;
    private static final long BY_GID = ServiceRecordLayout.HAS_ID | ServiceRecordLayout.HAS_GID;

    private final NeighbourHcas neighbours;
    private final OwnGuests guests;
    private final Outbox outbox;
    private final int mtuBytes;

    /** {@code mtuBytes}: that the port of this HCA takes. */
    public GuestAnswers(NeighbourHcas neighbours, OwnGuests guests, Outbox outbox, int mtuBytes) {
        this.neighbours = neighbours;
        this.guests = guests;
        this.outbox = outbox;
        this.mtuBytes = mtuBytes;
    }

    /**
     * Answers a query.
     *
     * @param mad hostile but for its class and method, SubnAdmGet
     * @param address IPv4 address that it came from
     * @param gsi QPN that it came from
     */
    public void answer(byte[] mad, int address, int gsi) {
        if (neighbours.has(address)) {
            outbox.add(address, gsi, answer(mad));
        }
    }

    private byte[] answer(byte[] mad) {
        boolean isGuest = MadHeaderLayout.ATTRIBUTE_ID.get(mad) == SaHeaderLayout.SERVICE_RECORD
                && SaHeaderLayout.RMPP_FLAGS.get(mad) == 0;
        if (!isGuest) {
            return GuestRecords.refusal(mad, SaHeaderLayout.UNSUPPORTED);
        }
        long mask = SaHeaderLayout.COMPONENT_MASK.get(mad);
        if (mask != BY_NAME && mask != BY_GID) {
            return GuestRecords.refusal(mad, SaHeaderLayout.INSUFFICIENT_COMPONENTS);
        }
        boolean isOther = ServiceRecordLayout.SERVICE_ID.get(mad) != GuestRecords.SERVICE_ID;
        Gid asked = ServiceRecordLayout.SERVICE_GID.get(mad);
        String name = isOther ? null : mask == BY_NAME ? GuestRecords.name(mad) : guests.nameOf(asked);
        Gid gid = name == null ? null : mask == BY_GID ? asked : guests.gidOf(name);
        return name == null || gid == null
                ? GuestRecords.refusal(mad, SaHeaderLayout.NO_RECORDS)
                : GuestRecords.answer(MadHeaderLayout.TRANSACTION_ID.get(mad), name, gid, mtuBytes);
    }
}
