package io.hyperverbs.frontend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.vmm.io.wire.EventMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The forwarded data path over a real socket, against a backend that completes what is posted. */
class ForwardedDataPathTest {
    @TempDir
    Path folder;

    private TestBackend backend;
    private CompletingHca hca;
    private DriverDomain domain;
    private Context context;
    private CompletionChannel channel;
    private CompletionQueue cq;
    private RcQueuePair qp;
    private final WorkCompletion[] completions = new WorkCompletion[64];

    @AfterEach
    void tearDown() {
        domain.close();
        backend.close();
    }

    @ParameterizedTest
    @EnumSource(value = DataPathKind.class, mode = EnumSource.Mode.EXCLUDE, names = "BYPASS")
    void completesManyTimesRoundTheRings(DataPathKind kind) throws Exception {
        open(kind, 8, QpLimits.of(4, 4));
        List<Long> seen = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            assertThat(post(i, 4)).isEqualTo(VerbsStatus.SUCCESS);
            List<Long> now = pollUntil(4);
            seen.addAll(now);
        }

        assertThat(seen).hasSize(200);
        assertThat(seen.getFirst()).isEqualTo(0);
        assertThat(seen.get(199)).isEqualTo(4903);
        assertThat(hca.sequences()).isSorted();
        assertThat(hca.overruns()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = DataPathKind.class, mode = EnumSource.Mode.EXCLUDE, names = "BYPASS")
    void backendKnowsOfRoomBeforeTheRingCouldOverrun(DataPathKind kind) throws Exception {
        open(kind, 4, QpLimits.of(4, 4));

        for (int i = 0; i < 100; i++) {
            // Never more than the capacity out at once, but most of it all the time.
            assertThat(post(i, i == 0 ? 4 : 1)).isEqualTo(VerbsStatus.SUCCESS);
            pollUntil(1);
        }

        assertThat(hca.overruns()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = DataPathKind.class, mode = EnumSource.Mode.EXCLUDE, names = "BYPASS")
    void refusesMoreThanTheRingHolds(DataPathKind kind) throws Exception {
        open(kind, 8, QpLimits.of(4, 4));
        hca.hold();

        assertThat(post(1, 4)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(post(2, 1)).isEqualTo(VerbsStatus.ENOMEM);
    }

    @Test
    void splitsBatchesThatNoMessageHolds() throws Exception {
        open(DataPathKind.FORWARDED, 1024, QpLimits.of(512, 1).withInlineBytes(480));

        assertThat(post(0, 512)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(pollUntil(512)).hasSize(512);
        assertThat(hca.largestMessage()).isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void failedUnaryPostTakesNoSlots() throws Exception {
        open(DataPathKind.FORWARDED_UNARY, 8, QpLimits.of(4, 4));
        hca.refuse(VerbsStatus.EINVAL);
        assertThat(post(1, 4)).isEqualTo(VerbsStatus.EINVAL);

        hca.refuse(VerbsStatus.SUCCESS);

        assertThat(post(2, 4)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pollUntil(4)).containsExactly(200L, 201L, 202L, 203L);
    }

    @Test
    void streamThatBreaksFailsPosts() throws Exception {
        open(DataPathKind.FORWARDED, 8, QpLimits.of(4, 4));
        backend.stream.get(5, TimeUnit.SECONDS).onCompleted();

        await().untilAsserted(() -> assertThat(post(1, 1)).isEqualTo(VerbsStatus.EIO));
    }

    @Test
    void holdsEventUntilItsCompletionHasCome() throws Exception {
        open(DataPathKind.FORWARDED, 8, QpLimits.of(4, 4));
        hca.hold();
        assertThat(cq.arm(false)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(post(3, 1)).isEqualTo(VerbsStatus.SUCCESS);
        await().until(() -> hca.held() == 1);

        event();
        // Delivered in order on the client's loop: once the marker is there, the event was handled.
        awaitMarker();
        assertThat(channel.await(Duration.ZERO)).isEmpty();
        backend.stream.get(5, TimeUnit.SECONDS).onNext(hca.release());

        assertThat(channel.await(Duration.ofSeconds(5))).contains(cq);
        assertThat(cq.poll(completions)).isEqualTo(1);
        channel.acknowledge(cq, 1);
    }

    @Test
    void announcesEventWhoseCompletionWasPolledBefore() throws Exception {
        open(DataPathKind.FORWARDED, 8, QpLimits.of(4, 4));
        cq.arm(false);
        post(3, 1);
        pollUntil(1);

        event();

        assertThat(channel.await(Duration.ofSeconds(5))).contains(cq);
        channel.acknowledge(cq, 1);
    }

    private void open(DataPathKind kind, int cqEntries, QpLimits limits) throws Exception {
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
        backend = new TestBackend(folder.resolve("device.sock"));
        hca = new CompletingHca(limits, cqEntries);
        backend.onCall = (request, out) -> TestBackend.answer(out, hca.control(request));
        backend.onData = hca::data;
        MadeMachine machine = new MadeMachine(64);
        DeviceChannelClient client =
                DeviceChannelClient.connect(folder.resolve("device.sock"), "00", CallTiming.standard());
        domain = new DriverDomain(machine.guest("a", 16, Map.of()), client, client, kind);
        context = domain.devices().getFirst().open();
        assertThat(context.dataPath()).isEqualTo(kind);
        channel = context.createChannel();
        cq = context.createCq(cqEntries, channel);
        qp = context.allocatePd().createRc(limits, cq, cq);
        qp.modify(QpAttributes.to(QpState.RTS));
    }

    private VerbsStatus post(int round, int count) {
        qp.sends().start();
        for (int i = 0; i < count; i++) {
            qp.sends().rdmaWrite(round * 100L + i, SendFlags.SIGNALLED, 64, 9).sge(1, 2, 3);
        }
        return qp.sends().post();
    }

    private List<Long> pollUntil(int count) {
        List<Long> ids = new ArrayList<>();
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            int found = cq.poll(completions);
            for (int i = 0; i < found; i++) {
                ids.add(completions[i].wrId());
            }
            return ids.size() >= count;
        });
        return ids;
    }

    private void event() throws Exception {
        backend.events
                .get(5, TimeUnit.SECONDS)
                .onNext(EventMessage.newBuilder()
                        .setCompletionCq(hca.cqHandle())
                        .build());
    }

    private void awaitMarker() throws Exception {
        backend.events
                .get(5, TimeUnit.SECONDS)
                .onNext(EventMessage.newBuilder()
                        .setAsync(io.hyperverbs.vmm.io.wire.AsyncEventMessage.newBuilder()
                                .setContext(hca.contextHandle())
                                .setType(4)
                                .setNumber(1))
                        .build());
        assertThat(markers()).isTrue();
    }

    private boolean markers() throws VerbsException {
        return context.awaitAsyncEvent(Duration.ofSeconds(5)).isPresent();
    }
}
