package io.hyperverbs.launcher.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.launcher.output.Format;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Context memories of HCAs with two ports each, as tools read them. */
class LinkDirectionTest {
    private static final int A = 0x7f0a0001;
    private static final int B = 0x7f0a0002;
    private static final int C = 0x7f0a0003;
    private static final int D = 0x7f0a0004;

    private static MemorySegment memory(int... addresses) {
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.LINK, 4));
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 64);
        ContextMemoryLayout.format(memory, 0, counts);
        for (int port = 1; port <= addresses.length; port++) {
            long entry = ContextMemoryLayout.port(0, port);
            PortContextLayout.set(memory, entry, PortContextLayout.Field.ADDRESS, addresses[port - 1]);
            PortContextLayout.publishRelease(memory, entry, port);
        }
        return memory;
    }

    private static void link(MemorySegment memory, int index, int port, int address, int loss, int packets) {
        long entry = ContextMemoryLayout.entry(memory, 0, Table.LINK, index);
        LinkContextLayout.set(memory, entry, Field.ADDRESS, address);
        LinkContextLayout.set(memory, entry, Field.LOSS, loss);
        LinkContextLayout.set(memory, entry, Field.PACKETS, packets);
        LinkContextLayout.set(memory, entry, Field.LOSSES, packets / 10);
        LinkContextLayout.publishRelease(memory, entry, port);
    }

    private static LinkDirection read(MemorySegment sender, MemorySegment receiver) {
        return LinkDirection.read("hv0-hv1", "hv0", new HcaView(sender), "hv1", new HcaView(receiver));
    }

    @Test
    void addsUpWhatEachPortGotFromThePortsOfTheOther() {
        MemorySegment receiver = memory(C, D);
        link(receiver, 0, 1, 0, 0, 1000);
        link(receiver, 1, 1, A, 10_000_000, 40);
        link(receiver, 2, 2, B, 10_000_000, 60);
        link(receiver, 3, 1, 0x7f0a0009, 500_000_000, 7000);

        LinkDirection direction = read(memory(A, B), receiver);

        assertThat(direction.settings()).isEqualTo(LinkSettings.of("loss=1%"));
        assertThat(direction.counts()).containsExactly(100L, 0L, 10L, 0L, 0L, 0L, 0L, 0L, 0L);
        assertThat(LinkDirection.list(List.of(direction)).render(Format.TABLE))
                .isEqualTo(
                        "link hv0-hv1 from hv0 to hv1 state UP loss 1% packets 100 down_drops 0 losses 10 queue_drops 0"
                                + " delay_drops 0 duplicates 0 corruptions 0 reorderings 0 marks 0\n");
    }

    @Test
    void aLinkOfWhichNothingWasEverSetDoesWhatItShould() {
        LinkDirection direction = read(memory(A), memory(C));

        assertThat(direction.settings()).isEqualTo(LinkSettings.none());
        assertThat(direction.counts()).hasSize(LinkDirection.COUNTS.size()).containsOnly(0L);
    }

    @Test
    void aLinkThatIsDownKeepsItsOtherSettings() {
        MemorySegment receiver = memory(C);
        link(receiver, 0, 1, A, 10_000_000, 0);
        LinkContextLayout.set(receiver, ContextMemoryLayout.entry(receiver, 0, Table.LINK, 0), Field.DOWN, 1);

        assertThat(LinkDirection.list(List.of(read(memory(A), receiver))).render(Format.TABLE))
                .startsWith("link hv0-hv1 from hv0 to hv1 state DOWN loss 1% packets 0");
    }

    @Test
    void withoutOneOfItsHcasALinkIsGone() {
        MemorySegment none = MemorySegment.NULL;

        for (LinkDirection direction : List.of(read(none, memory(C)), read(memory(A), none))) {
            assertThat(LinkDirection.list(List.of(direction)).render(Format.TABLE))
                    .isEqualTo("link hv0-hv1 from hv0 to hv1 state GONE\n");
        }
    }
}
