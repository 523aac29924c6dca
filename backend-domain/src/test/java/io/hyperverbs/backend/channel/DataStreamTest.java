package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.hyperverbs.backend.forwarded.CompletionBatch;
import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.forwarded.ForwardedCq;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PollMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a stream answers, and that nothing follows its end. */
class DataStreamTest extends BenchFixture {
    private static final long CQ = 700;
    private static final int ENTRIES = 8;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);
    private final List<ProtocolViolation> violations = new CopyOnWriteArrayList<>();
    private final Call call = new Call();
    private Session session;
    private SessionObjects bypass;
    private ForwardedContext path;
    private DataStream stream;
    private int produced;

    /** The guest's end, which remembers; the pump and the test look at it. */
    private static final class Call extends ServerCallStreamObserver<DataReplyMessage> {
        private final List<DataReplyMessage> got = new CopyOnWriteArrayList<>();
        private volatile boolean ready = true;
        private Runnable onReady;
        private Runnable onCancel;
        private Throwable failure;
        private int completed;

        @Override
        public void onNext(DataReplyMessage message) {
            got.add(message);
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
        }

        @Override
        public void onCompleted() {
            completed++;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            onReady = handler;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {
            onCancel = handler;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}
    }

    @BeforeEach
    void setUp() {
        // Its pump has a name that no other test gives.
        session = bench.session(71, Map.of());
        bypass = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        long context =
                SessionObjects.create(bench, session, DataPathKind.FORWARDED).context();
        path = session.contexts().get(context).forwarded();
        Doorbell doorbell = new Doorbell(memory, 0, memory, 4096, () -> {});
        ForwardedCq cq = new ForwardedCq(memory, 8192, ENTRIES, doorbell, 3, _ -> {});
        cq.handle(CQ);
        path.add(cq);
        stream = stream(call);
    }

    private DataStream stream(Call of) {
        return new DataStream(session, new ForwardedCalls(session), of, violations::add);
    }

    @AfterEach
    void tearDown() {
        bench.teardown.close(session);
    }

    private void produce() {
        int index = produced++;
        long cqe = 8192 + CqHeaderLayout.SIZE_BYTES + (index & (ENTRIES - 1)) * CqeLayout.SIZE_BYTES;
        CqeLayout.write(memory, cqe, 1, 0, 0, 0, 7, 0, 0, 0);
        CqeLayout.publishRelease(memory, cqe, index + 1);
    }

    private static DataRequestMessage post(long qp) {
        return DataRequestMessage.newBuilder()
                .setPostSend(PostEntriesMessage.newBuilder()
                        .setQp(qp)
                        .setCount(1)
                        .setEntries(ByteString.copyFrom(new byte[64])))
                .build();
    }

    private static DataReplyMessage refusal() {
        return DataReplyMessage.newBuilder()
                .setStatus(VerbsStatus.EINVAL.code())
                .build();
    }

    /** A queue that is not there, and one whose context has another data path. */
    @Test
    void refusesQueuesItCannotServeAndGoesOn() {
        stream.onNext(post(bypass.qp() + 99));
        stream.onNext(post(bypass.qp()));

        assertThat(call.got).containsExactly(refusal(), refusal());
        assertThat(session.dataMessages()).isEqualTo(2);
        assertThat(stream.isReady()).isTrue();
        assertThat(violations).isEmpty();
    }

    @Test
    void endsAtAViolationAndTellsAStatusAlone() {
        stream.onNext(DataRequestMessage.newBuilder()
                .setPoll(PollMessage.getDefaultInstance())
                .build());

        assertThat(call.failure).isInstanceOf(StatusRuntimeException.class);
        Status status = Status.fromThrowable(call.failure);
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).isNull();
        assertThat(violations).hasSize(1);
        assertSilent();
    }

    private void assertSilent() {
        assertThat(stream.isReady()).isFalse();
        stream.completions(List.of(new CompletionBatch(CQ, 0, new byte[0])));
        stream.onNext(post(bypass.qp()));
        assertThat(call.got).isEmpty();
    }

    @Test
    void isSilentOnceTheGuestHasEndedIt() {
        stream.onCompleted();

        assertThat(call.completed).isEqualTo(1);
        assertSilent();
    }

    @Test
    void isSilentOnceItFailed() {
        stream.onError(Status.CANCELLED.asRuntimeException());

        assertThat(call.completed).isZero();
        assertSilent();
    }

    @Test
    void sendsWhatWaitedOnceItsGuestReadsAgain() {
        call.ready = false;
        path.bind(stream);
        assertThat(stream.isReady()).isFalse();
        produce();
        await().atMost(DEADLINE).until(() -> pumpIs(Thread.State.WAITING));
        assertThat(call.got).isEmpty();

        call.ready = true;
        call.onReady.run();

        await().atMost(DEADLINE).until(() -> call.got.size() == 1);
        assertThat(call.got.getFirst().getCompletions(0).getCq()).isEqualTo(CQ);
        assertThat(call.got.getFirst().getCompletions(0).getFirstIndex()).isZero();
    }

    private boolean pumpIs(Thread.State state) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("pump-" + session.domain() + "-" + session.name())
                        && thread.getState() == state);
    }

    @Test
    void leavesItsCompletionsToTheNextOneWhenItIsCancelled() {
        path.bind(stream);
        call.onCancel.run();
        produce();
        Call second = new Call();

        path.bind(stream(second));

        await().atMost(DEADLINE).until(() -> second.got.size() == 1);
        assertThat(second.got.getFirst().getCompletions(0).getCq()).isEqualTo(CQ);
        assertThat(call.got).isEmpty();
    }

    /** Whatever it was that failed here: of the stream's end the guest hears once. */
    @Test
    void endsOnceWhenAMessageFailsHere() {
        stream.onNext(null);

        assertThat(Status.fromThrowable(call.failure).getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(session.rejections().of(RejectedAct.FAILED_CALL)).isEqualTo(1);
        call.failure = null;
        stream.failed();
        assertThat(call.failure).isNull();
        assertSilent();
    }
}
