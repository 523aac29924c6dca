package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.tests.fuzz.FuzzHca.Context;
import io.hyperverbs.tests.fuzz.FuzzHca.Queue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.WorkCompletion;

/**
 * Producer and consumer words of rings of all sizes from 1 to 128: a hostile end writes any number
 * into them; a model in long arithmetic says what the HCA must believe. All requests are RDMA
 * writes of no bytes, all receives have no segments, so only the words decide.
 */
final class RingTarget implements FuzzTarget {
    private static final int MOST_STEPS = 48;

    @Override
    public void play(Input input) {
        direct(input.nextInt(), input.nextInt(), 1 << input.below(17));
        new Play(input).steps(input);
    }

    private static void direct(int producer, int own, int capacity) {
        long distance = (producer & 0xffff_ffffL) - (own & 0xffff_ffffL);
        distance += distance < 0 ? 1L << 32 : 0;
        int must = distance <= capacity ? (int) distance : -1;
        if (QueueIndexes.available(producer, own, capacity) != must) {
            throw new AssertionError(producer + " - " + own + " of " + capacity);
        }
    }

    /** One hostile queue pair, its good peer, and what the HCA must make of the words. */
    private static final class Play {
        final FuzzHca device = new FuzzHca();
        final FuzzQp hostile;
        final FuzzQp good;
        final Queue hostileCq;
        final int sendEntries;
        final int receiveEntries;
        final int cqEntries;
        final CompletionRing goodRing;
        long sendHead;
        long receiveHead;
        long receiveAccepted;
        long cqProducer;
        long cqConsumer;
        long cqWord;
        int posted;

        Play(Input input) {
            sendEntries = 1 << input.below(8);
            receiveEntries = 1 << input.below(8);
            cqEntries = 1 << input.below(8);
            Context attacker = device.open(1);
            Context peer = device.open(2);
            hostileCq = device.cq(attacker, cqEntries);
            QpLimits limits = QpLimits.of(sendEntries, receiveEntries).withSge(1, 1);
            hostile = new FuzzQp(device, attacker, QpType.RC, hostileCq, limits, 0);
            Queue goodCq = device.cq(peer, 256);
            goodRing = new CompletionRing(device.memory, goodCq.ring(), 256);
            good = new FuzzQp(device, peer, QpType.RC, goodCq, QpLimits.of(128, 1), 0);
            FuzzQp.connect(hostile, good);
            for (int i = 0; i < sendEntries; i++) {
                hostile.emptyWrite(i, i);
            }
        }

        void steps(Input input) {
            boolean alive = true;
            for (int i = 0; alive && i < MOST_STEPS && input.hasMore(); i++) {
                int what = input.below(4);
                alive = switch (what) {
                    case 0 -> sends(word(input, sendHead, sendEntries));
                    case 1, 2 -> receives(word(input, receiveHead, receiveEntries));
                    default -> consumes(word(input, cqConsumer, cqEntries));
                };
                device.assertSound();
            }
            if (alive) {
                assertWritten();
            }
        }

        /** A word near what is legal, or any. */
        static int word(Input input, long own, int entries) {
            int form = input.nextByte();
            return switch (form % 6) {
                case 0, 1 -> (int) own + input.below(256) % (entries + 1);
                case 2 -> (int) own + entries + 1;
                case 3 -> (int) own - 1 - input.below(4);
                case 4 -> (int) own + (byte) input.nextByte();
                default -> input.nextInt();
            };
        }

        static long distance(int word, long own) {
            long distance = (word & 0xffff_ffffL) - (own & 0xffff_ffffL);
            return distance < 0 ? distance + (1L << 32) : distance;
        }

        boolean sends(int word) {
            long requests = distance(word, sendHead);
            QueueIndexes.sendProducerRelease(device.memory, hostile.rings, word);
            hostile.ring();
            device.run();
            if (requests > sendEntries) {
                return died(hostile);
            }
            for (long i = 0; i < requests; i++) {
                sendHead++;
                if (!completes()) {
                    return died(hostile);
                }
            }
            return lives();
        }

        /** The peer sends a message without bytes; whether it is received the word decides. */
        boolean receives(int word) {
            QueueIndexes.receiveProducerRelease(device.memory, hostile.rings, word);
            good.emptySend(posted++);
            device.settle();
            if (receiveHead == receiveAccepted) {
                long there = distance(word, receiveHead);
                if (there > receiveEntries) {
                    return died(hostile);
                }
                receiveAccepted = receiveHead + there;
            }
            if (receiveHead == receiveAccepted) {
                return died(good); // receiver not ready, and retries have an end
            }
            receiveHead++;
            return completes() ? lives() : died(hostile);
        }

        boolean consumes(int word) {
            CqHeaderLayout.consumerIndexRelease(device.memory, hostileCq.ring(), word);
            cqWord = word & 0xffff_ffffL;
            return true;
        }

        /** The HCA writes one completion of the hostile side; false if there is no room. */
        boolean completes() {
            if (cqProducer - cqConsumer == cqEntries) {
                long unread = distance((int) cqProducer, cqWord);
                if (unread >= cqEntries) {
                    return false;
                }
                cqConsumer = cqProducer - unread;
            }
            cqProducer++;
            return true;
        }

        boolean lives() {
            drainGood();
            if (hostile.state() != QpState.RTS || good.state() != QpState.RTS) {
                throw new AssertionError("the model lives, the HCA says " + hostile.state() + device.events);
            }
            return true;
        }

        boolean died(FuzzQp which) {
            if (which.state() != QpState.ERR) {
                throw new AssertionError("the model says ERR, the HCA " + which.state() + device.events);
            }
            return false;
        }

        /** So many completions were written, and not one more. */
        void assertWritten() {
            boolean last = cqProducer == 0 || sequence(cqProducer - 1) == (int) cqProducer;
            if (!last || sequence(cqProducer) == (int) cqProducer + 1) {
                throw new AssertionError("completions other than " + cqProducer);
            }
        }

        int sequence(long index) {
            long entry = (index & (cqEntries - 1)) * CqeLayout.SIZE_BYTES;
            return CqeLayout.sequenceAcquire(device.memory, hostileCq.ring() + CqHeaderLayout.SIZE_BYTES + entry);
        }

        void drainGood() {
            while (goodRing.hasNext()) {
                goodRing.read(new WorkCompletion());
                goodRing.advance();
                goodRing.publishConsumer();
            }
        }
    }
}
