package io.hyperverbs.hca.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.PdContextLayout;
import io.hyperverbs.hca.layout.XrcdContextLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PdTableTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);
    private final PdTable pds = table();

    private PdTable table() {
        ContextMemoryLayout.format(memory, 0, ContextMemoryLayout.counts(Map.of(Table.PD, 3, Table.XRCD, 3)));
        return new PdTable(new ContextMemory(memory, 0), 3);
    }

    private boolean isInUse(Table table, int number) {
        return ContextMemoryLayout.isInUse(memory, ContextMemoryLayout.entry(memory, 0, table, number - 1));
    }

    private long of(int xrcd, XrcdContextLayout.Field field) {
        return XrcdContextLayout.get(memory, ContextMemoryLayout.entry(memory, 0, Table.XRCD, xrcd - 1), field);
    }

    private long of(int pd, PdContextLayout.Field field) {
        return PdContextLayout.get(memory, ContextMemoryLayout.entry(memory, 0, Table.PD, pd - 1), field);
    }

    @Test
    void domainsOfBothKindsHaveNumbersOfTheirOwn() {
        int pd = pds.allocate(7);
        int xrcd = pds.openXrcd(8);

        assertThat(xrcd).isNotEqualTo(pd);
        assertThat(pds.exists(pd)).isTrue();
        assertThat(pds.isXrcd(pd)).isFalse();
        assertThat(pds.exists(xrcd)).isFalse();
        assertThat(pds.isXrcd(xrcd)).isTrue();
        assertThat(pds.domain(pd)).isEqualTo(7);
        assertThat(pds.domain(xrcd)).isEqualTo(8);
    }

    @Test
    void eachKindHasItsEntryInItsOwnTable() {
        int pd = pds.allocate(7);
        int xrcd = pds.openXrcd(8);
        pds.addRegions(pd, 2);
        pds.addQueuePairs(pd, 3);
        pds.addOthers(xrcd, 4);
        pds.addQueuePairs(xrcd, 5);

        assertThat(isInUse(Table.PD, pd)).isTrue();
        assertThat(isInUse(Table.XRCD, pd)).isFalse();
        assertThat(isInUse(Table.PD, xrcd)).isFalse();
        assertThat(of(pd, PdContextLayout.Field.DOMAIN)).isEqualTo(7);
        assertThat(of(pd, PdContextLayout.Field.REGIONS)).isEqualTo(2);
        assertThat(of(pd, PdContextLayout.Field.QUEUE_PAIRS)).isEqualTo(3);
        assertThat(of(xrcd, XrcdContextLayout.Field.NUMBER)).isEqualTo(xrcd);
        assertThat(of(xrcd, XrcdContextLayout.Field.DOMAIN)).isEqualTo(8);
        assertThat(of(xrcd, XrcdContextLayout.Field.SRQS)).isEqualTo(4);
        assertThat(of(xrcd, XrcdContextLayout.Field.TARGETS)).isEqualTo(5);
    }

    @Test
    void numbersOfDomainsThatAreGoneServeEitherKind() {
        int pd = pds.allocate(7);
        pds.openXrcd(7);
        pds.allocate(7);
        assertThat(pds.isFull()).isTrue();

        pds.deallocate(pd);
        int again = pds.openXrcd(9);

        assertThat(again).isEqualTo(pd);
        assertThat(pds.isFull()).isTrue();
        assertThat(isInUse(Table.PD, pd)).isFalse();
        assertThat(isInUse(Table.XRCD, pd)).isTrue();
        pds.deallocate(again);
        assertThat(isInUse(Table.XRCD, pd)).isFalse();
        assertThat(pds.isXrcd(again)).isFalse();
    }
}
