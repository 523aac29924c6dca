package io.hyperverbs.hca.link;

import static io.hyperverbs.hca.link.FakeArrivals.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImpairedPortTest extends ImpairedPortFixture {
    private static final int MANY = 100_000;

    /** Within five standard deviations of a share of many. */
    private static void assertShare(long hits, double share) {
        double deviation = Math.sqrt(MANY * share * (1 - share));
        assertThat((double) hits).isCloseTo(MANY * share, within(5 * deviation));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1", "1", "10", "50"})
    void losesItsShare(String percent) {
        open("loss=" + percent + "%");

        sendMany(MANY);

        assertShare(MANY - seen.size(), Double.parseDouble(percent) / 100);
        assertThat(count(Counter.LINK_LOSSES)).isEqualTo(MANY - seen.size()).isEqualTo(count(Field.LOSSES));
        assertThat(count(Field.PACKETS)).isEqualTo(MANY);
        assertThat(numbers()).isSorted();
    }

    @Test
    void doublesItsShare() {
        open("duplicate=3%");

        sendMany(MANY);

        assertShare(seen.size() - MANY, 0.03);
        assertThat(count(Counter.LINK_DUPLICATES)).isEqualTo(seen.size() - MANY);
        assertThat(new HashSet<>(numbers())).hasSize(MANY);
    }

    @Test
    void flipsOneBitOfItsShare() {
        open("corrupt=2%");

        sendMany(MANY);

        assertThat(seen).hasSize(MANY).allMatch(packet -> packet.flippedBits() <= 1);
        long corrupt = count(Counter.LINK_CORRUPTIONS);
        assertShare(corrupt, 0.02);
        // Four of a thousand bytes hold the number.
        assertThat(seen.stream().filter(packet -> packet.flippedBits() == 1).count())
                .isBetween(corrupt * 9 / 10, corrupt);
    }

    @Test
    void holdsItsShareBackUntilOthersHavePassed() {
        open("reorder=5%");
        for (int i = 0; i < 1000; i++) {
            network.send(SOURCE, BYTES, 0);
            take();
            now += 10_000;
        }
        drain();

        assertThat(numbers())
                .hasSize(1000)
                .isNotEqualTo(numbers().stream().sorted().toList());
        int held = 0;
        for (int i = 0; i < 1000; i++) {
            held += numbers().indexOf(i) > i ? 1 : 0;
        }
        assertThat(held).isEqualTo(count(Counter.LINK_REORDERINGS)).isBetween(20, 100);
    }

    @Test
    void theSameSeedAndPacketsMeetTheSameFate() {
        String settings = "loss=5% duplicate=5% corrupt=5% reorder=5% delay=20us jitter=20us rate=1Gbit ecn=4KiB-64KiB";
        List<List<Seen>> runs = new ArrayList<>();
        for (String seed : List.of("1", "1", "2")) {
            FakeArrivals again = new FakeArrivals();
            open();
            port = links.impair(again, PORT);
            set(SOURCE, settings + " seed=" + seed);
            now = 1_000_000_000;
            for (int i = 0; i < 2_000; i++) {
                again.send(SOURCE, BYTES, ECN_CAPABLE);
                take();
                now += 7_900;
            }
            drain();
            runs.add(List.copyOf(seen));
        }

        assertThat(runs.get(1)).isEqualTo(runs.get(0));
        assertThat(runs.get(2)).isNotEqualTo(runs.get(0));
    }

    @Test
    void whatIsLostAtALowShareIsLostAtAHighOne() {
        open("loss=1%");
        for (int i = 0; i < 5_000; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        drain();
        HashSet<Integer> most = new HashSet<>(numbers());
        FakeArrivals again = new FakeArrivals();
        open("loss=4%");
        port = links.impair(again, PORT);
        for (int i = 0; i < 5_000; i++) {
            again.send(SOURCE, BYTES, 0);
        }
        drain();

        assertThat(numbers()).hasSizeLessThan(most.size());
        assertThat(most).containsAll(numbers());
    }

    @Test
    void linksDrawByThemselves() {
        open("loss=20%");
        set(OTHER, "loss=20%");
        for (int i = 0; i < 1000; i++) {
            network.send(SOURCE, BYTES, 0);
            network.send(OTHER, BYTES, 0);
            network.send(OTHER + 1, BYTES, 0);
        }
        drain();

        HashSet<Integer> all = new HashSet<>(numbers());
        int both = 0;
        for (int i = 0; i < 3000; i += 3) {
            both += all.contains(i) || all.contains(i + 1) ? 0 : 1;
            assertThat(all).contains(i + 2);
        }
        assertThat(both).isBetween(10, 90);
    }

    @Test
    void delaysAreDrawnEvenly() {
        open("delay=10us jitter=8us");
        for (int i = 0; i < 2_000; i++) {
            network.send(SOURCE, BYTES, 0);
            pass(20_000);
        }

        LongSummaryStatistics delays = seen.stream()
                .mapToLong(packet -> packet.atNanos() - 1_000_000_000 - 20_000L * packet.number())
                .summaryStatistics();
        assertThat(delays.getCount()).isEqualTo(2_000);
        assertThat(delays.getMin()).isBetween(2_000L, 2_100L);
        assertThat(delays.getMax()).isBetween(17_900L, 18_000L);
        assertThat(delays.getAverage()).isCloseTo(10_000, within(500.0));
    }

    @Test
    void jitterKeepsTheOrder() {
        open("delay=10us jitter=8us");
        for (int i = 0; i < 500; i++) {
            network.send(SOURCE, BYTES, 0);
            pass(1_000);
        }
        drain();

        assertThat(numbers()).hasSize(500).isSorted();
        assertThat(seen).allSatisfy(packet -> {
            long sent = 1_000_000_000 + 1_000L * packet.number();
            assertThat(packet.atNanos() - sent).isBetween(2_000L, 18_000L);
        });
    }

    @Test
    void lateCallsFindWhatEarlyOnesWouldHaveFound() {
        List<List<Integer>> runs = new ArrayList<>();
        for (boolean isLate : List.of(false, true)) {
            FakeArrivals again = new FakeArrivals();
            open();
            port = links.impair(again, PORT);
            now = 1_000_000_000;
            set(SOURCE, "delay=50us reorder=10%");
            set(OTHER, "delay=20us");
            set(Links.WHOLE_PORT, "rate=1Gbit queue=8KiB");
            for (int i = 0; i < 100; i++) {
                again.send(i % 2 == 0 ? SOURCE : OTHER, BYTES, 0);
                if (isLate) {
                    // Arrives at that time all the same.
                    port.receive(now);
                } else {
                    take();
                }
                now += 3_000;
            }
            if (isLate) {
                now += 1_000_000_000;
            }
            drain();
            runs.add(numbers());
        }

        assertThat(runs.get(0)).hasSizeLessThan(100);
        // Those that the first call of the late run handed out were not looked at.
        List<Integer> early = runs.get(0);
        assertThat(early.subList(early.size() - runs.get(1).size(), early.size()))
                .isEqualTo(runs.get(1));
    }

    @Test
    void nothingPassesALinkThatIsDown() {
        open("down=true");
        set(OTHER, "delay=1us");
        network.send(SOURCE, BYTES, 0);
        network.send(OTHER, BYTES, 0);
        drain();
        set(SOURCE, "down=false");
        network.send(SOURCE, BYTES, 0);
        drain();

        assertThat(numbers()).containsExactly(1, 2);
        assertThat(count(Counter.LINK_DOWN_DROPS)).isOne();
    }

    @Test
    void whatCameAsOneBufferIsTakenApart() {
        open("loss=30%");
        for (int i = 0; i < 20; i++) {
            network.sendTogether(SOURCE, 7, BYTES, 300, 0);
        }
        drain();

        assertThat(numbers()).hasSizeBetween(60, 130).isSorted();
        assertThat(seen).allMatch(packet -> packet.bytes() == (packet.number() % 7 == 6 ? 300 : BYTES));
        assertThat(count(Field.PACKETS)).isEqualTo(140);
    }

    @Test
    void noMoreIsDelayedThanThereIsMemoryFor() {
        open("delay=1s");
        for (int i = 0; i < 5_000; i++) {
            network.send(SOURCE, 64, 0);
            network.send(OTHER, 64, 0);
        }
        drain();

        long dropped = count(Counter.LINK_DELAY_DROPS);
        assertThat(seen.size() + dropped).isEqualTo(10_000);
        assertThat(dropped).isGreaterThan(800);
        assertThat(count(Field.DELAY_DROPS)).isPositive();
        network.send(SOURCE, 64, 0);
        drain();
        assertThat(seen).hasSize((int) (10_001 - dropped));
    }

    @Test
    void whatIsTooLongForAPacketIsNoneOfTheLinks() {
        open("delay=1us");
        network.send(SOURCE, PacketSlots.SLOT_BYTES + 1, 0);
        network.send(SOURCE, PacketSlots.SLOT_BYTES, 0);
        drain();

        assertThat(numbers()).containsExactly(1);
        assertThat(count(Counter.RX_DROPPED_PACKETS)).isOne();
    }

    @Test
    void aReleasedPortHandsOutAllAtOnceAndTakesNoMore() {
        open("delay=1s jitter=500ms");
        set(Links.WHOLE_PORT, "rate=1kbit");
        for (int i = 0; i < 200; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        take();
        now += 2_000_000_000;
        for (int i = 0; i < 200; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        take();
        assertThat(seen).isEmpty();
        network.send(SOURCE, BYTES, 0);

        port.release();
        take();

        assertThat(numbers())
                .hasSize(400 - (int) count(Counter.LINK_QUEUE_DROPS))
                .isSorted();
        assertThat(port.nanosToNext(now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void afterAReleaseThePortIsAsNew() {
        open("delay=60s");
        set(Links.WHOLE_PORT, "rate=1kbit");
        for (int i = 0; i < 200; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        take();
        port.release();
        take();
        seen.clear();

        port = links.impair(network, PORT);
        set(SOURCE, "delay=1us");
        set(Links.WHOLE_PORT, "rate=none");
        for (int i = 0; i < PacketSlots.COUNT; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        for (int i = 0; i < PacketSlots.COUNT; i += FakeArrivals.MOST) {
            assertThat(port.receive(now)).isZero();
        }
        pass(1_000);

        assertThat(seen).hasSize(PacketSlots.COUNT);
        assertThat(count(Counter.LINK_DELAY_DROPS)).isZero();
    }

    @Test
    void aSocketIsReadUntilItIsEmptyBeforeAnybodySleeps() {
        open("delay=1s");
        network.send(SOURCE, BYTES, 0);

        assertThat(port.receive(now)).isZero();
        assertThat(port.nanosToNext(now)).isZero();
        assertThat(port.receive(now)).isZero();
        assertThat(port.nanosToNext(now)).isEqualTo(1_000_000_000);
    }

    @Test
    void thereIsAnEndToLinks() {
        open();
        for (int i = 1; i < Links.MOST; i++) {
            set(i, "loss=1%");
        }

        assertThat(links.set(PORT, Links.MOST, LinkSettings.of("loss=1%"))).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(links.set(PORT, 1, LinkSettings.none())).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(links.isImpaired(PORT)).isTrue();
    }
}
