package io.hyperverbs.upper.ipoib.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.link.SendingHca.Request;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LinkSenderTest {
    private static final int SLOTS = 8;
    private static final int SLOT_BYTES = 100;
    private static final int STRIDE_BYTES = 128;
    private static final int QKEY = 0x1234;
    private static final AddressHandle GOOD = SendingHca.handle(5);
    private static final AddressHandle BAD = SendingHca.handle(6);

    private final SendingHca hca = new SendingHca();
    private final LinkCounters counters = new LinkCounters();
    private LinkSender sender;

    @BeforeEach
    void make() throws VerbsException {
        hca.failing.add(BAD.number());
        sender = new LinkSender(hca.queuePair(), hca, SendingHca.slots(SLOTS, SLOT_BYTES), QKEY, counters);
    }

    private int send(AddressHandle to) throws VerbsException {
        int slot = sender.take();
        sender.send(slot, 60, to, 9);
        return slot;
    }

    private void send(int count) throws VerbsException {
        for (int i = 0; i < count; i++) {
            int _ = send(GOOD);
        }
    }

    private void assertNotSent(int count) {
        assertThat(counters.toString()).contains("not_sent " + count + ",");
    }

    @Test
    void givesEachSlotOnce() throws VerbsException {
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < SLOTS; i++) {
            assertThat(taken.add(sender.take())).isTrue();
        }
        assertThat(sender.free()).isZero();

        sender.release(3);

        assertThat(sender.free()).isEqualTo(1);
        assertThat(sender.take()).isEqualTo(3);
    }

    @Test
    void postsWhatIsInTheSlot() throws VerbsException {
        int slot = sender.take();
        sender.send(slot, 77, GOOD, 0xabc);
        sender.flush();

        long address = SendingHca.ADDRESS + (long) slot * STRIDE_BYTES;
        assertThat(hca.batches.getFirst())
                .containsExactly(
                        new Request(1, SendFlags.SIGNALLED, GOOD.number(), 0xabc, QKEY, SendingHca.LKEY, address, 77));
    }

    @Test
    void postsNothingBeforeTheFlushAndNothingTwice() throws VerbsException {
        send(3);
        assertThat(hca.batches).isEmpty();

        sender.flush();
        sender.flush();

        assertThat(hca.batches)
                .singleElement()
                .satisfies(batch -> assertThat(batch).extracting(Request::wrId).containsExactly(1L, 2L, 3L));
    }

    @Test
    void theLastOfABatchAloneIsSignalled() throws VerbsException {
        send(3);
        sender.flush();
        send(1);
        sender.flush();

        assertThat(hca.batches.getFirst()).extracting(Request::isSignalled).containsExactly(false, false, true);
        assertThat(hca.batches.getLast()).extracting(Request::isSignalled).containsExactly(true);
    }

    @Test
    void slotsComeBackWithTheCompletionOfTheirBatch() throws VerbsException {
        send(3);
        sender.flush();
        assertThat(sender.free()).isEqualTo(SLOTS - 3);
        hca.work();

        send(1);
        sender.flush();

        assertThat(sender.free()).isEqualTo(SLOTS - 1);
        assertNotSent(0);
        assertThat(hca.moves).isEmpty();
    }

    @Test
    void waitsForASlotWhenNoneIsFree() throws VerbsException {
        send(SLOTS);
        hca.meanwhile = hca::work;

        // What is gathered has to go first: the HCA gives nothing back that it has not got.
        int slot = sender.take();

        assertThat(slot).isBetween(0, SLOTS - 1);
        assertThat(hca.waits).isEqualTo(1);
        assertThat(sender.free()).isEqualTo(SLOTS - 1);
        assertThat(hca.batches).hasSize(1);
    }

    @Test
    void doesNotWaitForASlotThatIsDone() throws VerbsException {
        send(SLOTS);
        sender.flush();
        hca.work();

        int _ = sender.take();

        assertThat(hca.waits).isZero();
    }

    @Test
    void drainsUntilNoRequestNamesAHandle() throws VerbsException {
        send(2);
        hca.meanwhile = hca::work;

        sender.drain();

        assertThat(sender.free()).isEqualTo(SLOTS);
        assertThat(hca.batches).hasSize(1);
    }

    @Test
    void slotsOfARefusedBatchComeBackAtOnce() throws VerbsException {
        send(2);
        sender.flush();
        send(3);
        hca.answer = VerbsStatus.ENOMEM;

        sender.flush();

        assertThat(sender.free()).isEqualTo(SLOTS - 2);
        assertNotSent(3);
        hca.answer = VerbsStatus.SUCCESS;
        hca.work();
        send(1);
        sender.flush();
        assertThat(hca.batches.getLast()).extracting(Request::wrId).containsExactly(3L);
        assertThat(sender.free()).isEqualTo(SLOTS - 1);
    }

    @Test
    void aSlotOfARefusedBatchIsGivenWithoutAWait() throws VerbsException {
        send(SLOTS);
        hca.answer = VerbsStatus.EINVAL;

        int _ = sender.take();

        assertThat(sender.free()).isEqualTo(SLOTS - 1);
        assertThat(hca.waits).isZero();
    }

    @Test
    void aFailureIsRepairedWhenAllBehindItAreFlushed() throws VerbsException {
        send(1);
        int _ = send(BAD);
        send(2);
        sender.flush();
        hca.work();
        assertThat(hca.state()).isEqualTo(QpState.SQE);

        sender.drain();

        assertThat(hca.moves).containsExactly(QpState.RTS);
        assertThat(sender.free()).isEqualTo(SLOTS);
        // The one that failed and those behind it.
        assertNotSent(3);
    }

    /** Each packet is posted before the HCA has flushed anything that came after the failure. */
    @Test
    void aFailureIsRepairedWhilePacketsGoOn() throws VerbsException {
        int _ = send(BAD);
        sender.flush();
        hca.meanwhile = hca::work;
        for (int i = 0; i < 5; i++) {
            hca.work();
            send(1);
            sender.flush();
        }

        assertThat(hca.state()).isEqualTo(QpState.RTS);
        assertThat(hca.moves).containsExactly(QpState.RTS);
        assertNotSent(1);
    }

    /** Its failure is seen when others are on their way already. */
    @Test
    void whatIsPostedAfterAFailureIsFlushedAndTheNextGoes() throws VerbsException {
        int _ = send(BAD);
        sender.flush();
        send(1);
        sender.flush();
        hca.meanwhile = hca::work;
        hca.work();

        send(2);
        sender.flush();
        hca.work();
        sender.drain();

        assertThat(hca.moves).containsExactly(QpState.RTS);
        assertNotSent(2);
    }

    @Test
    void neverLosesASlot() throws VerbsException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Queue<Integer> held = new ArrayDeque<>();
        hca.meanwhile = hca::work;
        for (int i = 0; i < 20_000; i++) {
            int what = random.nextInt(20);
            hca.answer = random.nextInt(50) == 0 ? VerbsStatus.ENOMEM : VerbsStatus.SUCCESS;
            if (what < 10 && held.size() < SLOTS - 1) {
                held.add(sender.take());
            } else if (what < 14 && !held.isEmpty()) {
                sender.send(held.remove(), 60, random.nextInt(30) == 0 ? BAD : GOOD, 9);
            } else if (what < 15 && !held.isEmpty()) {
                sender.release(held.remove());
            } else if (what < 18) {
                sender.flush();
            } else {
                hca.work();
            }
        }
        hca.answer = VerbsStatus.SUCCESS;
        sender.drain();

        assertThat(sender.free() + held.size()).as("seed %d", seed).isEqualTo(SLOTS);
        send(1);
        sender.drain();
        assertThat(hca.state()).as("seed %d", seed).isEqualTo(QpState.RTS);
        Set<Integer> all = new HashSet<>(held);
        while (sender.free() > 0) {
            assertThat(all.add(sender.take())).as("seed %d", seed).isTrue();
        }
    }
}
