package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.sa.GuestDirectory;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Pkey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls of guests whose HCA does not say who they are: the callee keeps a bounded number of them, and its guests get no event. */
class HeldCallsTest extends WiredPair {
    private static final int SILENT = 5;

    @Override
    int silentHcas() {
        return SILENT;
    }

    private void call(int hca, int id) {
        byte[] req = CmMessage.REQ.create(ManagementDatagram.MAD_BYTES, id);
        ReqLayout.LOCAL_COMM_ID.set(req, id);
        ReqLayout.LOCAL_QPN.set(req, 7);
        ReqLayout.PKEY.set(req, Pkey.DEFAULT);
        ReqLayout.PATH_MTU.set(req, 4);
        ReqLayout.SERVICE_ID.set(req, CmEnd.SERVICE);
        ReqLayout.PRIMARY_LOCAL_GID.set(req, guestOf(silentLid(hca), 1));
        ReqLayout.PRIMARY_REMOTE_GID.set(req, Gid.ofIpv4(FAR));
        farGsi.arrive(req, silentAddress(hca));
    }

    private void callOften() {
        for (int hca = 0; hca < SILENT; hca++) {
            for (int id = 1; id <= 2 * RemoteManagement.MAX_HELD_OF_ADDRESS; id++) {
                call(hca, id);
            }
        }
        settle();
    }

    private static int millis(long nanos) {
        return (int) TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Test
    void ofEachHcaAShareIsHeldUntilItIsSilentForTooLong() {
        callOften();
        assertThat(count(farGsi, CmMessage.REJ)).isZero();
        pass(millis(GuestDirectory.LOOK_NANOS) + 80);

        assertThat(count(farGsi, CmMessage.REJ)).isEqualTo(RemoteManagement.MAX_HELD);
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void whatWaitedForTooLongIsForgotten() {
        callOften();
        far.passMillis(millis(RemoteManagement.MAX_HELD_NANOS) + 500);
        pass(2 * millis(GuestDirectory.LOOK_NANOS));

        assertThat(count(farGsi, CmMessage.REJ)).isZero();
        assertThat(callee.take()).isEmpty();
    }
}
