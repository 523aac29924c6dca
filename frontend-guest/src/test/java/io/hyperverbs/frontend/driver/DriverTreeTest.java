package io.hyperverbs.frontend.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverTreeTest {
    private DriverFixture fixture;

    @BeforeEach
    void setUp() throws VerbsException {
        fixture = new DriverFixture().open();
    }

    @Test
    void refusesToCloseParentsNamingTheirChildren() throws VerbsException {
        RcQueuePair qp = fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq);

        assertThatThrownBy(fixture.pd::close)
                .hasMessageStartingWith("EBUSY")
                .hasMessageContaining(qp.describe())
                .hasMessageContaining(fixture.region.describe());
        assertThatThrownBy(fixture.cq::close).hasMessageStartingWith("EBUSY").hasMessageContaining(qp.describe());
        assertThatThrownBy(fixture.context::close)
                .hasMessageStartingWith("EBUSY")
                .hasMessageContaining(fixture.pd.describe())
                .hasMessageContaining(fixture.cq.describe());
    }

    @Test
    void closesFromTheLeavesUp() throws VerbsException {
        RcQueuePair qp = fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq);

        qp.close();
        fixture.region.close();
        fixture.cq.close();
        fixture.pd.close();
        fixture.context.close();
        fixture.context.close();

        assertThat(fixture.control.live()).isZero();
        assertThat(fixture.guest.mapped).hasValue(0);
    }

    @Test
    void reregisteredRegionHangsOnItsNewPdAlone() throws VerbsException {
        ProtectionDomain other = fixture.context.allocatePd();

        fixture.region.reregister(RegionChange.NONE.withPd(other));

        assertThat(fixture.region.pd()).isSameAs(other);
        assertThatThrownBy(other::close)
                .hasMessageStartingWith("EBUSY")
                .hasMessageContaining(fixture.region.describe());
        fixture.pd.close();
        fixture.region.close();
        other.close();
    }

    @Test
    void refusedReregistrationLeavesTheTreeAsItWas() throws VerbsException {
        ProtectionDomain other = fixture.context.allocatePd();
        int lkey = fixture.region.lkey();
        fixture.control.refuse(r -> r instanceof ControlRequest.ReregisterMemory, VerbsStatus.EAGAIN);

        assertThatThrownBy(() -> fixture.region.reregister(RegionChange.NONE.withPd(other)))
                .hasMessageStartingWith("EAGAIN");

        assertThat(fixture.region.pd()).isSameAs(fixture.pd);
        assertThat(fixture.region.lkey()).isEqualTo(lkey);
        assertThatThrownBy(fixture.pd::close).hasMessageStartingWith("EBUSY");
        other.close();
    }

    @Test
    void reregistrationInItsOwnPdKeepsIt() throws VerbsException {
        int lkey = fixture.region.lkey();

        fixture.region.reregister(RegionChange.NONE.withPd(fixture.pd).withAccess(Set.of()));

        assertThat(fixture.region.lkey()).isNotEqualTo(lkey);
        assertThat(fixture.region.rkey()).isZero();
        assertThatThrownBy(fixture.pd::close).hasMessageStartingWith("EBUSY");
        fixture.region.close();
        fixture.pd.close();
    }

    @Test
    void windowHangsOnItsPd() throws VerbsException {
        MemoryWindow window = fixture.pd.allocateWindow(MemoryWindow.Type.TWO);
        fixture.region.close();

        assertThatThrownBy(fixture.pd::close).hasMessageStartingWith("EBUSY").hasMessageContaining(window.describe());
        window.close();
        fixture.pd.close();
    }

    @Test
    void channelWithQueuesIsBusy() throws VerbsException {
        CompletionChannel channel = fixture.context.createChannel();
        CompletionQueue cq = fixture.context.createCq(4, channel);

        assertThatThrownBy(channel::close).hasMessageStartingWith("EBUSY").hasMessageContaining(cq.describe());
        cq.close();
        channel.close();
    }

    @Test
    void createsNothingUnderClosedParent() throws VerbsException {
        fixture.region.close();
        fixture.pd.close();

        assertThatThrownBy(() -> fixture.pd.register(fixture.region.buffer(), Set.of()))
                .hasMessageStartingWith("EINVAL");
        assertThatThrownBy(() -> fixture.pd.createRc(QpLimits.of(1, 1), fixture.cq, fixture.cq))
                .hasMessageStartingWith("EINVAL");
    }

    @Test
    void createsQueuePairInTwoStages() throws VerbsException {
        fixture.control.requests.clear();

        RcQueuePair qp = fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq);
        qp.close();

        List<ControlRequest> requests = fixture.control.requests;
        assertThat(requests).hasSize(4);
        assertThat(requests.get(0)).isInstanceOf(ControlRequest.RegisterRing.class);
        assertThat(requests.get(1)).isInstanceOf(ControlRequest.CreateQp.class);
        assertThat(requests.get(2))
                .isInstanceOfSatisfying(
                        ControlRequest.Destroy.class, d -> assertThat(d.kind()).isEqualTo(ObjectKind.QP));
        assertThat(requests.get(3))
                .isInstanceOfSatisfying(
                        ControlRequest.Destroy.class, d -> assertThat(d.kind()).isEqualTo(ObjectKind.RING));
    }

    @Test
    void undoesFirstStageWhenSecondIsRefused() {
        long freeBytes = freeBytes();
        int live = fixture.control.live();
        fixture.control.refuse(
                r -> r instanceof ControlRequest.CreateQp || r instanceof ControlRequest.CreateCq, VerbsStatus.EAGAIN);

        assertThatThrownBy(() -> fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq))
                .hasMessageStartingWith("EAGAIN");
        assertThatThrownBy(() -> fixture.context.createCq(100, null)).hasMessageStartingWith("EAGAIN");

        assertThat(freeBytes()).isEqualTo(freeBytes);
        assertThat(fixture.control.live()).isEqualTo(live);
    }

    @Test
    void keepsRingMemoryThatTheBackendDoesNotLetGo() throws VerbsException {
        RcQueuePair qp = fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq);
        long freeBytes = freeBytes();
        fixture.control.refuse(
                r -> r instanceof ControlRequest.Destroy d && d.kind() == ObjectKind.RING, VerbsStatus.EIO);

        assertThatThrownBy(qp::close).hasMessageStartingWith("EIO");

        assertThat(freeBytes()).isEqualTo(freeBytes);
    }

    @Test
    void failedDestroyLeavesTheObjectOpen() throws VerbsException {
        fixture.control.refuse(r -> r instanceof ControlRequest.Destroy, VerbsStatus.EIO);
        assertThatThrownBy(fixture.region::close).hasMessageStartingWith("EIO");

        fixture.control.refuse(_ -> false, VerbsStatus.EIO);
        fixture.region.close();
        fixture.pd.close();
    }

    @Test
    void refusesBadSizesBeforeAnyRequest() {
        fixture.control.requests.clear();

        for (QpLimits limits : List.of(
                QpLimits.of(0, 1),
                QpLimits.of(1, -1),
                QpLimits.of(1 << 17, 1),
                QpLimits.of(1, 1).withSge(31, 1),
                QpLimits.of(1, 1).withSge(1, 0),
                QpLimits.of(1, 1).withInlineBytes(481))) {
            assertThatThrownBy(() -> fixture.pd.createRc(limits, fixture.cq, fixture.cq))
                    .as(limits.toString())
                    .hasMessageStartingWith("EINVAL");
        }
        assertThatThrownBy(() -> fixture.context.createCq(0, null)).hasMessageStartingWith("EINVAL");
        assertThatThrownBy(() -> fixture.context.createCq((1 << 16) + 1, null)).hasMessageStartingWith("EINVAL");
        assertThatThrownBy(() -> fixture.pd.register(fixture.region.buffer(), Set.of(Access.REMOTE_WRITE)))
                .hasMessageStartingWith("EINVAL");
        assertThat(fixture.control.requests).isEmpty();
    }

    @Test
    void refusesQueueOfAnotherContext() throws VerbsException {
        CompletionQueue other = fixture.domain.devices().getFirst().open().createCq(4, null);

        assertThatThrownBy(() -> fixture.pd.createRc(QpLimits.of(1, 1), fixture.cq, other))
                .hasMessageStartingWith("EINVAL");
    }

    @Test
    void refusesChannelOfAnotherContext() throws VerbsException {
        CompletionChannel other = fixture.domain.devices().getFirst().open().createChannel();
        int live = fixture.control.live();

        assertThatThrownBy(() -> fixture.context.createCq(4, other)).hasMessageStartingWith("EINVAL");

        assertThat(fixture.control.live()).isEqualTo(live);
        other.close();
    }

    @Test
    void keepsABufferWhileARegionCoversAnyOfIt() throws VerbsException {
        var memory = fixture.domain.memory();
        var first = memory.allocate(100, 64);
        var second = memory.allocate(8192, 64);
        var inFirst = fixture.pd.register(first.asSlice(64, 8), Set.of());
        var inSecond = fixture.pd.register(second.asSlice(4096), Set.of());

        assertThatThrownBy(() -> memory.free(first)).hasMessageStartingWith("EBUSY");
        inFirst.reregister(RegionChange.NONE.withBuffer(second.asSlice(0, 8)));
        memory.free(first);
        inSecond.close();
        assertThatThrownBy(() -> memory.free(second)).hasMessageStartingWith("EBUSY");
        inFirst.close();
        memory.free(second);
    }

    @Test
    void refusedRegistrationLeavesTheBufferFree() throws VerbsException {
        var memory = fixture.domain.memory();
        var buffer = memory.allocate(100, 64);
        fixture.control.refuse(r -> r instanceof ControlRequest.RegisterMemory, VerbsStatus.EAGAIN);

        assertThatThrownBy(() -> fixture.pd.register(buffer, Set.of())).hasMessageStartingWith("EAGAIN");

        memory.free(buffer);
    }

    @Test
    void refusesForwardedPathWithoutLink() {
        int live = fixture.control.live();

        assertThatThrownBy(() -> fixture.domain.devices().getFirst().open(DataPathKind.FORWARDED))
                .hasMessageStartingWith("ENOSYS");

        assertThat(fixture.control.live()).isEqualTo(live);
    }

    @Test
    void domainClosesWhatWasLeftOpen() throws VerbsException {
        fixture.pair(QpLimits.of(4, 4));
        fixture.context.createCq(4, fixture.context.createChannel());

        fixture.domain.close();

        assertThat(fixture.control.live()).isZero();
        assertThat(fixture.control.closed).isTrue();
    }

    private long freeBytes() {
        return ((GuestRam) fixture.domain.memory()).freeBytes();
    }
}
