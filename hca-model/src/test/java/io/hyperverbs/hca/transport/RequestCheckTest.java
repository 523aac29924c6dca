package io.hyperverbs.hca.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of a request's form at its edges, and which of its memory is taken. */
class RequestCheckTest {
    private static final int SEGMENTS = 3;
    private static final int INLINE = 64;
    private static final long LONGEST = 1000;
    private static final int SEND = SendWqeLayout.OPCODE_SEND;
    private static final long BASE = 0x1000;

    private final QpLimits limits = QpLimits.of(4, 0).withSge(SEGMENTS, 1).withInlineBytes(INLINE);
    private final CompletionError completionError = new CompletionError();
    private IdleQp idle = of(QpType.RC);
    private final RequestCheck check = new RequestCheck(idle.tpt, LONGEST);

    private IdleQp of(QpType type) {
        IdleQp made = new IdleQp(type, limits);
        if (type != QpType.XRC_RECV) {
            made.qp.apply(QpAttributes.none().with(QpAttribute.MAX_QP_RD_ATOMIC, 1));
        }
        return made;
    }

    private VerbsStatus form() {
        completionError.set(VendorError.REVOKED, -1, -1, -1, -1);
        idle.fetch();
        return check.form(idle.qp, completionError);
    }

    private void passes(long lengthBytes) {
        assertThat(form()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(idle.qp.sends().lengthBytes()).isEqualTo(lengthBytes);
        assertThat(completionError.vendorError()).isEqualTo(VendorError.REVOKED.code());
    }

    private void fails(VerbsStatus status, VendorError error, long lengthBytes) {
        assertThat(form()).isEqualTo(status);
        assertThat(completionError.vendorError()).isEqualTo(error.code());
        assertThat(completionError.lengthBytes()).isEqualTo(lengthBytes);
        assertThat(idle.qp.sends().lengthBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whoOnlyReceivesMayAskForNothing(QpType type) {
        idle = of(type);
        idle.request(SEND, 0);

        if (type == QpType.XRC_RECV) {
            fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.UNKNOWN_OPCODE, 0);
        } else {
            passes(0);
        }
    }

    @Test
    void opcodesEndAtTheLastThatIsKnown() {
        for (int opcode = 0; opcode < 256; opcode++) {
            boolean atomic =
                    opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
            idle.request(opcode, 0);
            if (atomic) {
                idle.segments(1).segment(0, BASE, 8, 1);
            }

            if (opcode > SendWqeLayout.OPCODE_SEND_WITH_INV) {
                fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.UNKNOWN_OPCODE, 0);
            } else {
                passes(atomic ? 8 : 0);
            }
        }
    }

    @Test
    void flagThatNobodyKnowsIsRefused() {
        for (int bit = 0; bit < 8; bit++) {
            int flag = 1 << bit;
            idle.request(SEND, flag);

            if ((flag & SendWqeLayout.KNOWN_FLAGS) == 0) {
                fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.UNKNOWN_OPCODE, 0);
            } else {
                passes(0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SendWqeLayout.OPCODE_BIND_MW, SendWqeLayout.OPCODE_LOCAL_INV})
    void requestForAWindowHasNoSegments(int opcode) {
        idle.request(opcode, 0).segments(1);

        fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.TOO_MANY_SEGMENTS, 1);
    }

    @Test
    void whoMayNotReadMaySendAndWrite() {
        idle.qp.apply(QpAttributes.none().with(QpAttribute.MAX_QP_RD_ATOMIC, 0));
        for (int opcode = 0; opcode <= SendWqeLayout.OPCODE_SEND_WITH_INV; opcode++) {
            idle.request(opcode, 0);

            switch (opcode) {
                case SendWqeLayout.OPCODE_RDMA_READ,
                        SendWqeLayout.OPCODE_COMPARE_AND_SWAP,
                        SendWqeLayout.OPCODE_FETCH_AND_ADD ->
                    fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.READ_DEPTH, 0);
                default -> passes(0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, INLINE})
    void inlineBytesUpToTheLimitPass(int length) {
        idle.request(SEND, 0).inline(length);

        passes(length);
    }

    @ParameterizedTest
    @ValueSource(ints = {INLINE + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void inlineBytesBeyondTheLimitAreRefused(int length) {
        idle.request(SEND, 0).inline(length);

        fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.INLINE_TOO_LONG, Integer.toUnsignedLong(length));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6})
    void whatReadsHasNoBytesInline(int opcode) {
        idle.request(opcode, 0).inline(8);

        fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.INLINE_NOT_ALLOWED, 0);
    }

    @Test
    void segmentsCountUpToTheLimitAndTheirLengthsAddUp() {
        idle.request(SEND, 0);
        for (int i = 0; i < SEGMENTS; i++) {
            idle.segment(i, BASE, 100 << i, 1);
        }

        idle.segments(SEGMENTS);
        passes(700);
        idle.segments(1);
        passes(100);
        for (int count : new int[] {SEGMENTS + 1, 0xffff}) {
            idle.segments(count);
            fails(VerbsStatus.LOC_QP_OP_ERR, VendorError.TOO_MANY_SEGMENTS, count);
        }
    }

    @Test
    void lengthsAreUnsignedAndDoNotWrap() {
        idle.request(SEND, 0).segments(2).segment(0, BASE, -1, 1).segment(1, BASE, 2, 1);

        fails(VerbsStatus.LOC_LEN_ERR, VendorError.MESSAGE_TOO_LONG, 0x1_0000_0001L);
    }

    @Test
    void messageMayBeAsLongAsTheHcaTakes() {
        idle.request(SEND, 0).segments(1).segment(0, BASE, (int) LONGEST, 1);
        passes(LONGEST);

        idle.segment(0, BASE, (int) LONGEST + 1, 1);
        fails(VerbsStatus.LOC_LEN_ERR, VendorError.MESSAGE_TOO_LONG, LONGEST + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {SendWqeLayout.OPCODE_COMPARE_AND_SWAP, SendWqeLayout.OPCODE_FETCH_AND_ADD})
    void atomicHasOneSegmentOfEightBytes(int opcode) {
        idle.request(opcode, 0).segments(1).segment(0, BASE, 8, 1);
        passes(8);

        for (int length : new int[] {0, 7, 9}) {
            idle.segment(0, BASE, length, 1);
            fails(VerbsStatus.LOC_LEN_ERR, VendorError.ATOMIC_LENGTH, length);
        }
        idle.segments(2).segment(0, BASE, 4, 1).segment(1, BASE, 4, 1);
        fails(VerbsStatus.LOC_LEN_ERR, VendorError.ATOMIC_LENGTH, 8);
    }

    /** The bytes that a list reads as, so many of them. */
    private byte[] read(SgList list, int length) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        SgList into = new SgList(bytes);
        into.setPrivate(bytes, 0, length);
        SgList.copy(list, into, 0, length);
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    private Region region(byte... bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, idle.memory, 0, bytes.length);
        return idle.tpt.create(new RegionPlan(
                IdleQps.PD, BASE, bytes.length, Access.REMOTE_READ.bit(), new long[] {0, bytes.length}, new long[] {0
                }));
    }

    @Test
    void inlineBytesAreThoseOfTheCopy() {
        idle.request(SEND, 0).inline(3, (byte) 11, (byte) 12, (byte) 13);
        passes(3);
        idle.inline(3, (byte) 91, (byte) 92, (byte) 93);
        SgList list = new SgList(idle.memory);

        assertThat(check.local(idle.qp, 0, list, completionError)).isTrue();

        assertThat(read(list, 3)).containsExactly(11, 12, 13);
    }

    @Test
    void segmentsAreTakenInOrderAndEmptyOnesPassedOver() {
        int lkey = region((byte) 1, (byte) 2, (byte) 3, (byte) 4).lkey();
        SgList list = new SgList(idle.memory);
        for (int round = 0; round < 2; round++) {
            idle.request(SEND, 0)
                    .segments(3)
                    .segment(0, BASE + 2 - round, 2, lkey)
                    .segment(1, 0xbad, 0, ~lkey)
                    .segment(2, BASE, 1, lkey);
            passes(3);

            assertThat(check.local(idle.qp, 0, list, completionError)).isTrue();

            assertThat(read(list, 3)).containsExactly((byte) (3 - round), (byte) (4 - round), (byte) 1);
        }
    }

    @Test
    void segmentBeyondItsRegionOrWithoutTheRightIsRefused() {
        int lkey = region((byte) 1, (byte) 2).lkey();
        SgList list = new SgList(idle.memory);
        idle.request(SEND, 0).segments(2).segment(0, BASE, 1, lkey).segment(1, BASE, 3, lkey);
        passes(4);

        assertThat(check.local(idle.qp, 0, list, completionError)).isFalse();
        assertThat(completionError.vendorError()).isEqualTo(VendorError.KEY_RANGE.code());

        idle.segments(1);
        passes(1);
        assertThat(check.local(idle.qp, 0, list, completionError)).isTrue();
        assertThat(check.local(idle.qp, Access.LOCAL_WRITE.bit(), list, completionError))
                .isFalse();
        assertThat(completionError.vendorError()).isEqualTo(VendorError.KEY_RIGHTS.code());
    }

    @Test
    void keyThatGoesBetweenTwoChunksIsCalledRevoked() {
        idle.request(SEND, 0);
        passes(0);

        completionError.set(VendorError.KEY_NOT_IN_PD);
        RequestCheck.nameRevoked(idle.qp, completionError);
        assertThat(completionError.vendorError()).isEqualTo(VendorError.KEY_NOT_IN_PD.code());

        idle.qp.sends().advance(1);
        RequestCheck.nameRevoked(idle.qp, completionError);
        assertThat(completionError.vendorError()).isEqualTo(VendorError.REVOKED.code());

        completionError.set(VendorError.KEY_RIGHTS);
        RequestCheck.nameRevoked(idle.qp, completionError);
        assertThat(completionError.vendorError()).isEqualTo(VendorError.KEY_RIGHTS.code());
    }
}
