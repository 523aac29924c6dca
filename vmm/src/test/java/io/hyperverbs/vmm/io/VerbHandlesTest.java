package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.PathRecord;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbHandlesTest {
    private static final ControlRequest CREATE_QP =
            new ControlRequest.CreateQp(11, 2, 12, 13, 14, QpLimits.of(4, 4), 0);

    @Test
    void namesEachHandleOfARequestButNoZero() {
        assertThat(VerbHandles.named(CREATE_QP)).containsExactly(11L, 12L, 13L, 14L);
        assertThat(VerbHandles.named(new ControlRequest.Destroy(ObjectKind.QP, 7)))
                .containsExactly(7L);
        assertThat(VerbHandles.named(new ControlRequest.OpenContext(DataPathKind.BYPASS)))
                .isEmpty();
        assertThat(VerbHandles.named(new ControlRequest.Management(new ManagementRequest.TakeEvents(9))))
                .containsExactly(9L);
    }

    @Test
    void givesTheHandleOfWhatWasMade() {
        assertThat(VerbHandles.given(CREATE_QP, new ControlReply.QpCreated(70, 1, 2)))
                .hasValue(70);
        assertThat(VerbHandles.given(
                        new ControlRequest.OpenContext(DataPathKind.BYPASS), new ControlReply.ContextOpened(5, 6, 7)))
                .hasValue(5);
    }

    /** Of a connection that was there already its later events give nothing. */
    @Test
    void managementGivesHandlesOfWhatWasMadeAndOfCalls() {
        ManagementReply notices = new ManagementReply.Notices(
                List.of(notice(CmEvent.Type.CONNECT_REQUEST, 8), notice(CmEvent.Type.ESTABLISHED, 9)), false);

        assertThat(VerbHandles.managed(new ControlReply.Management(notices))).containsExactly(8L);
        assertThat(VerbHandles.managed(new ControlReply.Management(new ManagementReply.Opened(7))))
                .containsExactly(7L);
        assertThat(VerbHandles.managed(new ControlReply.Done())).isEmpty();
    }

    private static CmNotice notice(CmEvent.Type type, long connection) {
        Gid gid = new Gid(1, 2);
        return new CmNotice(
                type,
                connection,
                0,
                VerbsStatus.SUCCESS,
                RejectReason.NONE,
                "b",
                gid,
                new CmOffer(QpType.RC, 1, 2, 3, 4, 5, 6, 7),
                PrivateData.none(),
                new PathRecord(gid, gid, 1, 1, 0xffff, 0, 2048, 18, true));
    }

    @Test
    void givesNothingWhereNothingWasMade() {
        assertThat(VerbHandles.given(CREATE_QP, new ControlReply.Refused(VerbsStatus.ENOMEM, "")))
                .isEmpty();
        assertThat(VerbHandles.given(new ControlRequest.QueryQp(1), new ControlReply.Done()))
                .isEmpty();
    }

    /** A field that names an object is a handle, in each of the tables' rows: else nobody would judge it. */
    @Test
    void everyObjectThatAVerbNamesIsAHandle() {
        List<String> objects = List.of(
                "context", "pd", "mr", "region", "ring", "cq", "send_cq", "recv_cq", "qp", "srq", "xrcd", "handle",
                "mw");
        assertThat(Arrays.stream(PrivilegedVerb.values())
                        .flatMap(verb -> verb.shape().fields().stream()
                                .filter(field -> objects.contains(field.name()) && !field.isHandle())
                                .map(field -> verb + " " + field.name())))
                .isEmpty();
    }
}
