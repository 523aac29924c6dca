package io.hyperverbs.upper.ipoib.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.verbs.Gid;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random calls, whose actions and results must be those of {@link ModelTable}. */
class NeighbourWalkTest {
    private static final int STEPS = 40_000;

    private final RecordedActions actions = new RecordedActions();
    private final RecordedActions expected = new RecordedActions();

    @ParameterizedTest
    @CsvSource({"1, 1, 3", "2, 4, 6", "3, 16, 12", "4, 64, 100"})
    void doesAsTheModel(long seed, int capacity, int addresses) {
        Random random = new Random(seed);
        NeighbourTable table = new NeighbourTable(capacity, actions);
        ModelTable model = new ModelTable(capacity, expected);
        long now = 0;
        int inside = 0;
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + ", step " + step;
            IpAddress address = address(random.nextInt(addresses));
            HardwareAddress hardware = new HardwareAddress(0, 2 + random.nextInt(2), new Gid(1, 1));
            switch (random.nextInt(8)) {
                case 0 -> assertThat(table.find(address, now)).as(where).isEqualTo(model.find(address, now));
                case 1, 2 -> {
                    inside++;
                    table.await(address, step, now);
                    model.await(address, step, now);
                }
                case 3 -> {
                    table.replied(address, hardware, now);
                    model.replied(address, hardware, now);
                }
                case 4 -> {
                    table.requested(address, hardware, now);
                    model.requested(address, hardware);
                }
                case 5 -> {
                    table.announced(address, hardware, now);
                    model.announced(address, hardware);
                }
                default -> now += random.nextLong(random.nextInt(40) == 0 ? 31_000_000_000L : 400_000_000L);
            }
            if (model.isDue(now)) {
                assertThat(table.due(now)).as(where).isZero();
            }
            if (random.nextBoolean()) {
                table.advance(now);
                model.advance(now);
            }

            List<String> done = actions.take();
            inside -= (int) done.stream()
                    .filter(line -> line.startsWith("transmit") || line.startsWith("drop"))
                    .count();
            assertThat(done).as(where).isEqualTo(expected.take());
            assertThat(table.size()).as(where).isEqualTo(model.size()).isLessThanOrEqualTo(capacity);
            // No packet is lost, and none comes back twice.
            assertThat(inside).as(where).isEqualTo(model.waiting());
        }
    }

    private static IpAddress address(int number) {
        return number % 2 == 0 ? IpAddress.ofIpv4(0x0a000000 + number) : new IpAddress(0xfe80L << 48, number);
    }
}
