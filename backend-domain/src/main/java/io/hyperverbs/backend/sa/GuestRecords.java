package io.hyperverbs.backend.sa;

import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.SaHeaderLayout;
import io.hyperverbs.backend.mad.ServiceRecordLayout;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.PrivateData;
import java.util.regex.Pattern;

/**
 * Guests as service records: the service {@code hv.guest.NAME} at the guest's GID, whose first byte of data is the MTU
 * that its HCA's port takes, as a code (IBA 15.2.5.14). Each HCA answers for its own guests alone, so that a query has
 * one record or none, and no datagram needs another one. Stateless.
 */
final class GuestRecords {
    /** The service that each guest is: of those that no standard assigns (IBA annex A3). */
    static final long SERVICE_ID = 0x0248_5600_6775_6573L;

    private static final int MAD_BYTES = 256;
    private static final String NAME_PREFIX = "hv.guest.";
    private static final long FOR_EVER = 0xffff_ffffL;
    private static final int FIRST_MTU = 128;
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;

    /** Names of guests in topologies. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?");

    private GuestRecords() {}

    static byte[] query(long transactionId, String name) {
        byte[] mad = create(MadHeaderLayout.GET, transactionId);
        SaHeaderLayout.COMPONENT_MASK.set(mad, ServiceRecordLayout.HAS_ID | ServiceRecordLayout.HAS_NAME);
        ServiceRecordLayout.setName(mad, NAME_PREFIX + name);
        return mad;
    }

    static byte[] query(long transactionId, Gid gid) {
        byte[] mad = create(MadHeaderLayout.GET, transactionId);
        SaHeaderLayout.COMPONENT_MASK.set(mad, ServiceRecordLayout.HAS_ID | ServiceRecordLayout.HAS_GID);
        ServiceRecordLayout.SERVICE_GID.set(mad, gid);
        return mad;
    }

    static byte[] answer(long transactionId, String name, Gid gid, int mtuBytes) {
        byte[] mad = create(MadHeaderLayout.GET_RESPONSE, transactionId);
        ServiceRecordLayout.SERVICE_GID.set(mad, gid);
        ServiceRecordLayout.PKEY.set(mad, Pkey.DEFAULT);
        ServiceRecordLayout.LEASE.set(mad, FOR_EVER);
        ServiceRecordLayout.setName(mad, NAME_PREFIX + name);
        ServiceRecordLayout.DATA.set(mad, PrivateData.of((byte) Integer.numberOfTrailingZeros(mtuBytes / FIRST_MTU)));
        return mad;
    }

    /** There is no such guest, or that was no such query. */
    static byte[] refusal(byte[] query, int status) {
        byte[] mad = query.clone();
        MadHeaderLayout.METHOD.set(mad, MadHeaderLayout.GET_RESPONSE);
        MadHeaderLayout.STATUS.set(mad, status);
        return mad;
    }

    private static byte[] create(int method, long transactionId) {
        byte[] mad = MadHeaderLayout.create(
                MAD_BYTES, MadHeaderLayout.SUBNET_ADMINISTRATION, method, SaHeaderLayout.SERVICE_RECORD, transactionId);
        SaHeaderLayout.RECORD_SIZE.set(mad, ServiceRecordLayout.RECORD_SIZE);
        ServiceRecordLayout.SERVICE_ID.set(mad, SERVICE_ID);
        return mad;
    }

    /** The guest's name in a record; empty if it is none that a guest can have. */
    static String name(byte[] mad) {
        String service = ServiceRecordLayout.name(mad);
        String name = service.startsWith(NAME_PREFIX) ? service.substring(NAME_PREFIX.length()) : "";
        return isName(name) ? name : "";
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The MTU in a record; 0 if it is none. */
    static int mtuBytes(byte[] mad) {
        int code = ServiceRecordLayout.DATA.get(mad).bytes()[0];
        int mtu = code < 0 || code > Byte.SIZE ? 0 : FIRST_MTU << code;
        return mtu < MIN_MTU || mtu > MAX_MTU ? 0 : mtu;
    }
}
