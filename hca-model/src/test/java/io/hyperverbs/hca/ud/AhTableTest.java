package io.hyperverbs.hca.ud;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.AhContextLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who finds a handle by its number, which entry it has, and where it leads. */
class AhTableTest {
    private static final int DOMAIN = 3;
    private static final int PD = 8;
    private static final int MAX_AH = 4;
    private static final PortSettings PORTS = PortSettings.standard(1, 2048);
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 5);
    private static final Gid ELSEWHERE = new Gid(Gid.LINK_LOCAL_PREFIX, 77);

    private final MemorySegment memory;
    private final ContextMemory contexts;
    private final AhTable handles;

    AhTableTest() {
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.AH, MAX_AH * 2));
        memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        contexts = new ContextMemory(memory, 0);
        handles = new AhTable(contexts, PORTS, WireAddresses.none(), MAX_AH, new SplittableRandom(5));
    }

    private AddressVector create(AddressAttributes to) {
        return handles.create(DOMAIN, PD, to);
    }

    private int publishedNumber(int index) {
        return AhContextLayout.number(memory, contexts.entry(Table.AH, index, AhContextLayout.SIZE_BYTES));
    }

    @Test
    void aNumberIsAbsentInAnotherPdAndOnceItIsDestroyed() {
        AddressVector own = create(AddressAttributes.of(1));

        assertThat(handles.find(PD, own.number())).isSameAs(own);
        assertThat(handles.find(PD + 1, own.number())).isNull();
        assertThat(handles.find(PD, own.number() + 1)).isNull();
        handles.destroy(own);
        assertThat(handles.find(PD, own.number())).isNull();
        assertThat(handles.byNumber(own.number())).isNull();
    }

    @Test
    void aFullTableTakesOneMoreInThePlaceOfTheOneThatWent() {
        AddressVector[] all = new AddressVector[MAX_AH];
        for (int i = 0; i < MAX_AH; i++) {
            assertThat(handles.isFull()).isFalse();
            all[i] = create(AddressAttributes.of(1));
            assertThat(publishedNumber(i)).isEqualTo(all[i].number());
        }
        assertThat(handles.isFull()).isTrue();

        handles.destroy(all[2]);
        assertThat(handles.isFull()).isFalse();
        assertThat(publishedNumber(2)).isZero();
        AddressVector again = create(AddressAttributes.of(2));

        assertThat(again.index()).isEqualTo(2);
        assertThat(again.number()).isNotIn(all[0].number(), all[1].number(), all[2].number());
        assertThat(publishedNumber(2)).isEqualTo(again.number());
        assertThat(handles.find(PD, all[3].number())).isSameAs(all[3]);
        assertThat(handles.isFull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // The port's own LID, none, the other port's, and one of no port.
        "1, 1, 1",
        "1, 0, 1",
        "1, 2, 0",
        "1, 5, 0",
        "2, 2, 2",
        "2, 0, 2",
        "2, 1, 0",
    })
    void aLidAndAPortsGidLeadThereOrNowhere(int port, int lid, int towards) {
        AddressVector vector = create(AddressAttributes.ofGroup(PORTS.gid(port), lid));

        assertThat(vector.lid()).isEqualTo(towards);
        assertThat(vector.domain()).isZero();
    }

    @Test
    void aGidOfADomainLeadsToItBehindTheFirstPort() {
        Gid gid = PORTS.domainGid(DOMAIN);

        assertThat(create(AddressAttributes.of(gid)).lid()).isEqualTo(1);
        assertThat(create(AddressAttributes.of(gid)).domain()).isEqualTo(DOMAIN);
        assertThat(create(AddressAttributes.ofGroup(gid, 2)).lid()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "5"})
    void aGidOfNoPortLeadsNowhere(int lid) {
        assertThat(create(AddressAttributes.ofGroup(ELSEWHERE, lid)).lid()).isZero();
    }

    @Test
    void whatHasNoRouteOrIsForAGroupGoesByItsLid() {
        assertThat(create(AddressAttributes.of(5)).lid()).isEqualTo(5);
        assertThat(create(AddressAttributes.ofGroup(GROUP, 0xc001)).lid()).isEqualTo(0xc001);
    }

    @Test
    void onAWireAnAddressOrALidOfAnotherHcaLeadsOut() {
        int own = 0x7f00_0101;
        int second = 0x7f00_0102;
        int other = 0x7f00_0201;
        int stranger = 0x7f00_0301;
        AhTable wired = new AhTable(
                contexts,
                PORTS,
                new WireAddresses(List.of(own, second), Map.of(9, other)),
                MAX_AH * 2,
                new SplittableRandom(5));

        AddressVector home = wired.create(DOMAIN, PD, AddressAttributes.of(Gid.ofIpv4(second)));
        assertThat(home.lid()).isEqualTo(2);
        assertThat(home.address()).isZero();
        AddressVector known = wired.create(DOMAIN, PD, AddressAttributes.of(Gid.ofIpv4(other)));
        assertThat(known.lid()).isZero();
        assertThat(known.address()).isEqualTo(other);
        AddressVector unknown = wired.create(DOMAIN, PD, AddressAttributes.of(Gid.ofIpv4(stranger)));
        assertThat(unknown.address()).isEqualTo(stranger);
        assertThat(wired.create(DOMAIN, PD, AddressAttributes.of(9)).address()).isEqualTo(other);
        assertThat(wired.create(DOMAIN, PD, AddressAttributes.of(PORTS.gid(1))).address())
                .isZero();
        assertThat(wired.create(DOMAIN, PD, AddressAttributes.ofGroup(GROUP, 0xc001))
                        .address())
                .isZero();
    }

    @Test
    void comesFromTheGidOfItsPort() {
        AddressVector vector = create(new AddressAttributes(2, 1, 0, 0, 0, null));

        assertThat(vector.source()).isEqualTo(PORTS.gid(2));
    }
}
