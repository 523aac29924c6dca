package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.hca.layout.SrqRings;
import io.hyperverbs.verbs.VerbsStatus;

/** A shared receive queue with the guest's end of its ring. */
final class TestSrq {
    final HcaFixture fixture;
    final int srqn;
    final int receiveSge;
    SrqGeometry geometry;
    long ring;
    int producer;

    TestSrq(HcaFixture fixture, Guest guest, int pd, int receiveWr, int receiveSge) {
        this.fixture = fixture;
        this.receiveSge = receiveSge;
        geometry = SrqGeometry.of(receiveWr, receiveSge);
        ring = fixture.allocate(geometry.totalBytes());
        HcaCommands.Numbered made =
                fixture.hca.createSrq(new HcaCommands.SrqInit(guest.uar, pd, ring, receiveWr, receiveSge));
        assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
        srqn = made.number();
    }

    void receive(long wrId, Buffer into, long offset, int length) {
        receive(wrId, 1, into.address() + offset, length, into.lkey());
    }

    void receive(long wrId, int segmentCount, long address, int length, int lkey) {
        long wqe = ring + geometry.slot(producer);
        ReceiveWqeLayout.writeHead(fixture.memory, wqe, wrId);
        ReceiveWqeLayout.writeSegmentCount(fixture.memory, wqe, segmentCount);
        ReceiveWqeLayout.writeSegment(fixture.memory, wqe, 0, address, length, lkey);
        publish(producer + 1);
    }

    void publish(int index) {
        producer = index;
        SrqRingLayout.producerIndexRelease(fixture.memory, ring, index);
    }

    int head() {
        return SrqRingLayout.headIndexAcquire(fixture.memory, ring);
    }

    /** As a driver does it; the ring stays the old one if the HCA refuses. */
    VerbsStatus resize(int receiveWr) {
        SrqGeometry other = SrqGeometry.of(receiveWr, receiveSge);
        long otherRing = fixture.allocate(other.totalBytes());
        SrqRings.copy(fixture.memory, ring, geometry, fixture.memory, otherRing, other, head(), producer);
        VerbsStatus status = fixture.hca.resizeSrq(srqn, otherRing, receiveWr);
        if (status == VerbsStatus.SUCCESS) {
            ring = otherRing;
            geometry = other;
        }
        return status;
    }
}
