package io.hyperverbs.tests.walk;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The bugs that are planted, with what a divergence has to begin with. */
enum PlantedBug {
    /** The requester is told REM_OP_ERR where it must be REM_ACCESS_ERR. */
    WRONG_STATUS("completion is", WrongStatus::new),
    /** The completion of every tenth request comes twice. */
    DUPLICATE_COMPLETION("completion that must not come", DuplicateCompletion::new),
    /** Every fifth flushed request never completes. */
    MISSED_FLUSH("(no completion|completion out of order)", MissedFlush::new),
    /** A region ends one byte later than it was registered. */
    OFF_BY_ONE_RANGE("(completion is|no completion|memory at)", OffByOneRange::new),
    /** The keys of a region live on after it was deregistered. */
    STALE_KEY("(completion is|no completion|memory at)", StaleKey::new),
    /** Two completions of one queue, polled together, come the wrong way round. */
    EXCHANGED_COMPLETIONS("completion out of order", ExchangedCompletions::new),
    /** A receive is told one byte less than it got. */
    WRONG_LENGTH("completion is", WrongLength::new),
    /** Immediate data gets lost. */
    LOST_IMMEDIATE("completion is", LostImmediate::new),
    /** A byte of memory changes that no request has named. */
    STRAY_BYTE("memory at", StrayByte::new),
    /** An unsignalled request that fails says nothing. */
    SILENT_FAILURE("(no completion|completion out of order)", SilentFailure::new),
    /** Every other asynchronous event gets lost. */
    LOST_EVENT("no event", LostEvent::new),
    /** An illegal move is answered with success. */
    ILLEGAL_MOVE("answers SUCCESS, must answer EINVAL", IllegalMove::new),
    /** An object in use is destroyed, as the program is told. */
    IGNORED_REFERENCE("answers SUCCESS, must answer EBUSY", IgnoredReference::new),
    /** A shared receive queue hands out one receive twice, and another never. */
    SHARED_TWICE("(completion (is|out of order|that must not come)|memory at)", SharedTwice::new),
    /** A send with invalidate ends no window, though it names one. */
    LIVING_WINDOW("(completion is|no completion|memory at|answers EBUSY)", LivingWindow::new),
    /** A window shows a byte more than it was bound to. */
    WIDE_WINDOW("(completion is|no completion|memory at)", WideWindow::new),
    /** A failed send of UC takes down the queue pair, where only its send queue must stop. */
    DOWN_FOR_SQE("query finds STATE", DownForSqe::new),
    /** A datagram is delivered whatever its Q_Key. */
    ANY_QKEY("(no completion|completion that must not come|memory at)", AnyQkey::new);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // Constructors without arguments.
    private final Supplier<Mutation> mutation;

    PlantedBug(String words, Supplier<Mutation> mutation) {
        this.words = words;
        this.mutation = mutation;
    }

    /** What a divergence must begin with, behind the name of the domain: a regular expression. */
    String words() {
        return words;
    }

    /** The bug, as fresh as the device it sits in. */
    Mutation fresh() {
        return mutation.get();
    }

    private static final class WrongStatus implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.replaceAll(one -> one.status() == VerbsStatus.REM_ACCESS_ERR
                    ? Mutation.changed(one, VerbsStatus.REM_OP_ERR, one.opcode(), 0)
                    : one);
        }
    }

    private static final class DuplicateCompletion implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            for (int i = polled.size() - 1; i >= 0; i--) {
                if (polled.get(i).wrId() % 10 == 0) {
                    polled.add(i, Mutation.copied(polled.get(i)));
                }
            }
        }
    }

    private static final class MissedFlush implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.removeIf(one -> one.status() == VerbsStatus.WR_FLUSH_ERR && one.wrId() % 5 == 0);
        }
    }

    private static final class OffByOneRange implements Mutation {
        @Override
        public long registered(long asked, long possible) {
            return Math.min(asked + 1, possible);
        }
    }

    private static final class StaleKey implements Mutation {
        @Override
        public boolean keepsKeys() {
            return true;
        }
    }

    private static final class ExchangedCompletions implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            for (int i = 1; i < polled.size(); i++) {
                if (isReceive(polled.get(i - 1)) == isReceive(polled.get(i))) {
                    polled.add(i - 1, polled.remove(i));
                    return;
                }
            }
        }
    }

    private static final class WrongLength implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.replaceAll(one -> isReceive(one) && one.byteCount() > 0
                    ? Mutation.changed(one, one.status(), one.opcode(), one.byteCount() - 1)
                    : one);
        }
    }

    private static final class LostImmediate implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.replaceAll(one -> {
                if (!one.hasImmediate()) {
                    return one;
                }
                WorkCompletion plain = new WorkCompletion();
                plain.fill(one.wrId(), one.status(), one.opcode(), one.byteCount(), one.qpn());
                return plain;
            });
        }
    }

    private static final class StrayByte implements Mutation {
        @Override
        public void after(List<WorkCompletion> told, MemorySegment memory) {
            for (WorkCompletion one : told) {
                if (one.status() == VerbsStatus.SUCCESS && one.opcode() == Opcode.RDMA_WRITE) {
                    byte old = memory.get(ValueLayout.JAVA_BYTE, 0);
                    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) (old + 1));
                }
            }
        }
    }

    private static final class SilentFailure implements Mutation {
        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.removeIf(one -> one.status() == VerbsStatus.LOC_PROT_ERR);
        }
    }

    private static final class LostEvent implements Mutation {
        private int events;

        @Override
        public Optional<AsyncEvent> event(Optional<AsyncEvent> event) {
            return event.filter(one -> ++events % 2 != 0);
        }
    }

    private static final class IllegalMove implements Mutation {
        @Override
        public boolean swallows(String verb, VerbsException refusal) {
            return verb.equals("modify") && refusal.status() == VerbsStatus.EINVAL;
        }
    }

    private static final class IgnoredReference implements Mutation {
        @Override
        public boolean swallows(String verb, VerbsException refusal) {
            return verb.equals("close") && refusal.status() == VerbsStatus.EBUSY;
        }
    }

    private static final class SharedTwice implements Mutation {
        @Override
        public List<ReceiveWorkRequest> shared(List<ReceiveWorkRequest> posted) {
            // Only where the other would be taken too: the answer must be the same.
            if (posted.size() < 2
                    || posted.get(0).segments().size()
                            != posted.get(1).segments().size()) {
                return posted;
            }
            List<ReceiveWorkRequest> handed = new ArrayList<>(posted);
            handed.set(1, handed.getFirst());
            return handed;
        }
    }

    private static final class LivingWindow implements Mutation {
        private final Set<Integer> keys = new HashSet<>();

        @Override
        public SendWorkRequest sent(SendWorkRequest request) {
            if (!(request instanceof SendWorkRequest.SendWithInvalidate one)) {
                return request;
            }
            keys.add(one.rkey());
            return new SendWorkRequest.SendWithImmediate(one.wrId(), one.flags(), one.segments(), one.rkey());
        }

        @Override
        public void completions(List<WorkCompletion> polled) {
            polled.replaceAll(one -> {
                if (!one.hasImmediate() || !keys.contains(one.immediate())) {
                    return one;
                }
                WorkCompletion told = new WorkCompletion();
                told.fill(one.wrId(), one.status(), one.opcode(), one.byteCount(), one.qpn());
                told.fillInvalidated(one.immediate());
                return told;
            });
        }
    }

    private static final class WideWindow implements Mutation {
        @Override
        public WindowBinding bound(WindowBinding asked) {
            return new WindowBinding(asked.region(), asked.address(), asked.lengthBytes() + 1, asked.access());
        }
    }

    private static final class DownForSqe implements Mutation {
        @Override
        public QpAttributes queried(QpAttributes found) {
            return found.get(QpAttribute.STATE) == QpState.SQE.code()
                    ? found.with(QpAttribute.STATE, QpState.ERR.code())
                    : found;
        }
    }

    private static final class AnyQkey implements Mutation {
        /** What most queue pairs of a walk have. */
        private static final int QKEY = 1;

        @Override
        public SendWorkRequest sent(SendWorkRequest request) {
            return switch (request) {
                case SendWorkRequest.SendTo to
                when to.remoteQkey() > QKEY ->
                    new SendWorkRequest.SendTo(to.wrId(), to.flags(), to.segments(), to.ah(), to.remoteQpn(), QKEY);
                default -> request;
            };
        }
    }

    private static boolean isReceive(WorkCompletion one) {
        return one.opcode() == Opcode.RECV || one.opcode() == Opcode.RECV_RDMA_WITH_IMM;
    }
}
