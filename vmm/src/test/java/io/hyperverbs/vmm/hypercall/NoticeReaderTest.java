package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallChannel.Answer;
import io.hyperverbs.vmm.hypercall.wire.DomainAddedNotice;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.DomainPins;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.memory.MachineMapping;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a device domain has of a domain between the notices of its start and its end. */
class NoticeReaderTest {
    private static final int GUEST = 7;
    private static final int FRAMES = 64;

    private final FrameTable frames = new FrameTable(FRAMES);
    private NoticeReader reader;
    private List<Extent> memory;

    @BeforeEach
    void takeMemory() throws Exception {
        reader = new NoticeReader(MachineMapping.reserve((long) FRAMES * FrameTable.FRAME_BYTES));
        memory = List.of(frames.allocate(GUEST, FrameKind.RAM, 4), frames.allocate(GUEST, FrameKind.RAM, 2));
    }

    @AfterEach
    void freeIt() throws Exception {
        reader.forget(GUEST);
        frames.freeAll(GUEST);
    }

    private Answer added(boolean nativeDomain) throws Exception {
        List<Fd> descriptors = new ArrayList<>();
        for (Extent extent : memory) {
            descriptors.add(frames.duplicateMemfd(extent));
        }
        if (!nativeDomain) {
            descriptors.add(EventFd.create().fd());
            descriptors.add(EventFd.create().fd());
        }
        for (Extent extent : memory) {
            descriptors.add(frames.duplicatePins(extent));
        }
        DomainAddedNotice.Builder notice =
                DomainAddedNotice.newBuilder().setDomain(GUEST).setName("a").setNative(nativeDomain);
        memory.forEach(extent -> notice.addRam(WireExtents.of(extent)));
        return new Answer(
                HypercallReply.newBuilder()
                        .setNotice(NoticeReply.newBuilder().setAdded(notice))
                        .build(),
                descriptors);
    }

    private static List<FrameRun> first(Extent extent, int count) {
        return List.of(new FrameRun(extent.firstMachineFrame(), count));
    }

    /** Each extent has its own: a pin of one would show as one of the other if they were mixed up. */
    @Test
    void pinsShowInTheFrameTable() throws Exception {
        var _ = reader.read(added(false));
        DomainPins pins = reader.pinsOf(GUEST);

        assertThat(pins.pin(first(memory.get(0), 3), false)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pins.pin(first(memory.get(1), 1), true)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(frames.pins()).isEqualTo(4);
        assertThat(frames.pinsOf(memory.get(0).firstMachineFrame() + 2)).isOne();
        assertThat(frames.kindOf(memory.get(1).firstMachineFrame())).isEqualTo(FrameKind.QUEUE);
        assertThat(frames.free(GUEST, memory.get(1).firstMachineFrame())).isEqualTo(VerbsStatus.EBUSY);
    }

    @Test
    void aNativeDomainHasPinsAndNoEvents() throws Exception {
        DomainNotice.Added added = (DomainNotice.Added) reader.read(added(true));

        assertThat(added.ram()).extracting(extent -> extent.frames()).containsExactly(4L, 2L);
        assertThat(added.doorbellEventFd()).isEqualTo(-1);
        assertThat(reader.eventOf(GUEST)).isNull();
        assertThat(reader.pinsOf(GUEST).pin(first(memory.get(1), 2), false)).isEqualTo(VerbsStatus.SUCCESS);
    }

    /** One of another HCA, one that never was, and one that ended are the same to it. */
    @Test
    void nothingOfADomainIsPinnedThatItHasNoNoticeOf() throws Exception {
        assertThat(reader.pinsOf(GUEST)).isNull();
        var _ = reader.read(added(false));
        DomainPins pins = reader.pinsOf(GUEST);

        reader.forget(GUEST);

        assertThat(reader.pinsOf(GUEST)).isNull();
        assertThat(pins.pin(first(memory.get(0), 1), false)).isEqualTo(VerbsStatus.EFAULT);
    }

    @Test
    void aNoticeWithoutAllItsDescriptorsIsRefusedAndKeepsNone() throws Exception {
        Answer whole = added(false);
        Answer cut = new Answer(whole.reply(), whole.descriptors().subList(0, 5));

        assertThatThrownBy(() -> reader.read(cut))
                .isInstanceOfSatisfying(
                        HypercallException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOMEM));

        assertThat(reader.pinsOf(GUEST)).isNull();
        assertThat(cut.descriptors())
                .allSatisfy(closed -> assertThatThrownBy(closed::number).isInstanceOf(IllegalStateException.class));
        whole.descriptors().getLast().close();
    }
}
