package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A million remote keys that are not of the responder's protection domain: true ones of others, all
 * neighbours of a true one, random ones. None hits. No failure in a million bounds the chance of a
 * hit by 3e-6 a try with 95 % confidence; M live keys in one domain make it M / 2^32. Over UC,
 * where a miss costs no connection, and without the lockout.
 */
class ForgedKeysTest {
    private static final int TRIES = 1_000_000;
    private static final int NEIGHBOURS = 1 << 16;
    private static final int REGIONS = 50;
    private static final int BATCH = 32;
    private static final int BYTES = 8;
    private static final long SEED = 20_061;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guesser = fixture.guest(1);
    private final Guest victim = fixture.guest(2);
    private final Guest third = fixture.guest(3);
    private final Buffer own = guesser.buffer(4096);
    private final List<Buffer> foreign = new ArrayList<>();

    /** Regions of the victim in {@code pd}, and as many of another domain. */
    private void register(int pd) {
        for (int i = 0; i < REGIONS; i++) {
            foreign.add(victim.buffer(4096, pd, HcaFixture.ALL_REMOTE));
            foreign.add(third.buffer(4096));
        }
    }

    private int key(int number, SplittableRandom random) {
        if (number < foreign.size()) {
            return foreign.get(number).rkey();
        }
        int neighbour = number - foreign.size() - NEIGHBOURS;
        return neighbour < NEIGHBOURS
                ? foreign.getFirst().rkey() + (neighbour == 0 ? NEIGHBOURS : neighbour)
                : random.nextInt();
    }

    /** Writes with every forged key, each to an address where the first {@code foreign} one is. */
    private void guess() {
        TestQp from = TestQp.of(QpType.UC, fixture, guesser);
        TestQp to = TestQp.of(QpType.UC, fixture, victim);
        TestQp.connectUc(from, to);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < TRIES; i++) {
            long address = foreign.get(i < foreign.size() ? i : 0).address();
            from.rdma(i, SendWqeLayout.OPCODE_RDMA_WRITE, 0, own, BYTES, address, key(i, random));
            if (i % BATCH == 0) {
                fixture.run();
            }
        }
        fixture.run();
    }

    @Test
    void hitNothing() {
        register(fixture.hca.allocatePd(2).number());
        fixture.memory.asSlice(own.machine(), own.bytes()).fill((byte) 0x5a);

        guess();

        assertThat(fixture.counter(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(TRIES);
        assertThat(fixture.counter(Counter.RX_WRITE_REQUESTS)).isZero();
        for (Buffer buffer : foreign) {
            assertThat(fixture.memory.asSlice(buffer.machine(), buffer.bytes()).mismatch(fixture.zeros(buffer.bytes())))
                    .isEqualTo(-1);
        }
    }

    /** The test of the test: an HCA that took all protection domains for one is found out. */
    @Test
    void wouldHitWhereAllProtectionDomainsWereOne() {
        register(victim.pd);

        guess();

        assertThat(fixture.counter(Counter.RX_WRITE_REQUESTS)).isGreaterThanOrEqualTo(REGIONS);
    }
}
