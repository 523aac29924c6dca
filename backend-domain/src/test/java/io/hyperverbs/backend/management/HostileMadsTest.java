package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.RejLayout;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.mad.RtuLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams that nobody should have sent change no connection, and cost no more than their sender's budget. */
class HostileMadsTest extends WiredPair {
    private static final int BURST = 1024;

    private CmStep.Ends connected() {
        long out = resolve(farHca());
        caller.done(connect(caller, out, "hello"));
        settle();
        long in = callee.called();
        callee.done(callee.accept(in));
        settle();
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        caller.done(CmEnd.answer(out, Kind.RTU));
        settle();
        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        return new CmStep.Ends(out, in);
    }

    private void expectStillConnected(CmStep.Ends ends) {
        settle();
        assertThat(caller.take()).isEmpty();
        assertThat(callee.take()).isEmpty();
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        settle();
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
        callee.done(CmEnd.answer(ends.in(), Kind.DISCONNECT));
        settle();
        var _ = caller.next(CmEvent.Type.DISCONNECTED);
    }

    /** All messages but REQs have both ids there. */
    private static byte[] message(CmMessage kind, int localId, int remoteId) {
        byte[] mad = kind.create(ManagementDatagram.MAD_BYTES, 5);
        RtuLayout.LOCAL_COMM_ID.set(mad, localId);
        RtuLayout.REMOTE_COMM_ID.set(mad, remoteId);
        return mad;
    }

    @ParameterizedTest
    @EnumSource
    void idsThatNobodyHasAreOfNoConnection(CmMessage kind) {
        CmStep.Ends ends = connected();
        farGsi.arrive(message(kind, 1, 2), NEAR);
        farGsi.arrive(message(kind, 0, 0), NEAR);

        expectStillConnected(ends);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REQ")
    void idsOfAConnectionFromAnotherAddressAreOfNone(CmMessage kind) {
        CmStep.Ends ends = connected();
        byte[] rtu = last(nearGsi, CmMessage.RTU);
        farGsi.arrive(
                message(kind, RtuLayout.LOCAL_COMM_ID.getInt(rtu), RtuLayout.REMOTE_COMM_ID.getInt(rtu)), STRANGER);

        expectStillConnected(ends);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REQ")
    void aConnectionsIdFromAnotherEndIsOfNone(CmMessage kind) {
        CmStep.Ends ends = connected();
        byte[] rtu = last(nearGsi, CmMessage.RTU);
        farGsi.arrive(message(kind, 12345, RtuLayout.REMOTE_COMM_ID.getInt(rtu)), NEAR);

        expectStillConnected(ends);
    }

    /** Byte of the header, and what is wrong there. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 99", "2, 1", "3, 18", "1, 3"})
    void otherVersionsClassesAndMethodsAreNotLookedAt(int at, int value) {
        CmStep.Ends ends = connected();
        int before = farGsi.sent.size();
        byte[] dreq = message(CmMessage.DREQ, 1, 2);
        dreq[at] = (byte) value;
        farGsi.arrive(dreq, NEAR);
        settle();

        assertThat(farGsi.sent).hasSize(before);
        expectStillConnected(ends);
    }

    @Test
    void anotherPortIsNotLookedAt() {
        int before = farGsi.sent.size();
        farGsi.arrive(message(CmMessage.DREQ, 1, 2), NEAR, 2);
        settle();

        assertThat(farGsi.sent).hasSize(before);
    }

    @Test
    void aFloodGetsAsManyAnswersAsItsBudget() {
        CmStep.Ends ends = connected();
        for (int i = 0; i < 3 * BURST; i++) {
            farGsi.arrive(message(CmMessage.DREQ, 1, 2), STRANGER);
        }
        settle();

        assertThat(farGsi.sent.stream().filter(one -> one.address == STRANGER).count())
                .isEqualTo(BURST);
        expectStillConnected(ends);
    }

    @Test
    void aRequestThatSaysNonsenseIsRejected() {
        var _ = connected();
        byte[] good = last(nearGsi, CmMessage.REQ);
        for (RejectReason reason : new RejectReason[] {
            RejectReason.INVALID_TRANSPORT_TYPE,
            RejectReason.NO_QP,
            RejectReason.INVALID_MTU,
            RejectReason.INVALID_GID,
            RejectReason.INVALID_SERVICE_ID
        }) {
            byte[] req = good.clone();
            ReqLayout.LOCAL_COMM_ID.set(req, 99);
            switch (reason) {
                case INVALID_TRANSPORT_TYPE -> ReqLayout.TRANSPORT_SERVICE_TYPE.set(req, 2);
                case NO_QP -> ReqLayout.LOCAL_QPN.set(req, 1);
                case INVALID_MTU -> ReqLayout.PATH_MTU.set(req, 5);
                case INVALID_SERVICE_ID -> {
                    ReqLayout.PRIMARY_REMOTE_GID.set(req, new PortSettings(2, FAR_LID, 2048, List.of(0xffff)).gid(1));
                    ReqLayout.SERVICE_ID.set(req, 99);
                }
                default -> ReqLayout.PRIMARY_REMOTE_GID.set(req, ReqLayout.PRIMARY_LOCAL_GID.get(req));
            }
            int before = farGsi.sent.size();
            farGsi.arrive(req, NEAR);
            far.passMillis(0);

            assertThat(farGsi.sent).as(reason.name()).hasSize(before + 1);
            assertThat(RejLayout.REASON.getInt(last(farGsi, CmMessage.REJ))).isEqualTo(reason.code());
        }
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void randomDatagramsHarmNobody() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        CmStep.Ends ends = connected();
        for (int i = 0; i < 2000; i++) {
            byte[] mad = new byte[ManagementDatagram.MAD_BYTES];
            random.nextBytes(mad);
            if (random.nextInt(8) > 0) {
                boolean isCm = random.nextBoolean();
                byte[] header = isCm
                        ? message(CmMessage.values()[random.nextInt(CmMessage.values().length)], 1, 2)
                        : MadHeaderLayout.create(
                                ManagementDatagram.MAD_BYTES,
                                MadHeaderLayout.SUBNET_ADMINISTRATION,
                                random.nextBoolean() ? MadHeaderLayout.GET : MadHeaderLayout.GET_RESPONSE,
                                0x31,
                                random.nextLong());
                System.arraycopy(header, 0, mad, 0, MadHeaderLayout.SIZE_BYTES);
            }
            farGsi.arrive(mad, random.nextBoolean() ? NEAR : STRANGER);
            far.passMillis(1);
        }

        assertThat(callee.take()).as("seed " + seed).isEmpty();
        expectStillConnected(ends);
    }

    @Test
    void damagedDatagramsHarmNobody() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        CmStep.Ends ends = connected();
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        settle();
        byte[][] good = nearGsi.sent.stream().map(one -> one.mad().clone()).toArray(byte[][]::new);
        for (int i = 0; i < 2000; i++) {
            byte[] mad = good[random.nextInt(good.length)].clone();
            int at = random.nextInt(mad.length);
            Arrays.fill(mad, at, Math.min(mad.length, at + 1 + random.nextInt(8)), (byte) random.nextInt());
            farGsi.arrive(mad, NEAR);
            settle();
            for (var notice : callee.take()) {
                if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
                    callee.refusalOrDone(new ManagementRequest.Release(notice.connection()));
                }
            }
        }

        // Whatever it did, the next call is answered.
        near.passMillis(60_000);
        far.passMillis(60_000);
        settle();
        var _ = caller.take();
        var _ = callee.take();
        CmEnd other = CmEnd.open(near, 9);
        long out = other.reply(new ManagementRequest.Resolve(other.channel(), farHca()), ManagementReply.Resolved.class)
                .connection();
        other.done(connect(other, out, "x"));
        settle();
        assertThat(other.take()).as("seed " + seed).isEmpty();
        assertThat(callee.take()).as("seed " + seed).hasSize(1);
    }
}
