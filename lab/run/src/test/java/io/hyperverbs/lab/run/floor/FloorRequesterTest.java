package io.hyperverbs.lab.run.floor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The parties of a floor, here threads. */
@Timeout(60)
class FloorRequesterTest {
    private static final FloorRequester.Terms TERMS = new FloorRequester.Terms(50, 20, 500);
    private static final FloorRequester.Terms STREAM = new FloorRequester.Terms(50, 20, 20);
    private static final int BYTES = 4096;

    private final MemorySegment segment = Arena.ofAuto().allocate(FloorMemory.SIZE_BYTES, 4096);
    private final FloorMemory memory = new FloorMemory(segment);
    private final Thread engine = new Thread(new FloorEngine(new FloorMemory(segment)), "engine");
    private final Thread peer = new Thread(new FloorPeer(new FloorMemory(segment)), "peer");
    private FloorRequester requester;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws PosixException {
        requester = new FloorRequester(memory, folder.resolve("call"));
        for (int party = 0; party < FloorMemory.PARTIES; party++) {
            segment.asSlice(FloorMemory.sent(party), FloorMemory.MOST_BYTES).fill((byte) (party + 1));
        }
        engine.start();
        peer.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        requester.close();
        memory.begin(Phase.END);
        engine.join();
        peer.join();
    }

    private long copied(int party, int from) {
        MemorySegment received = segment.asSlice(FloorMemory.received(party), FloorMemory.MOST_BYTES);
        long bytes = 0;
        while (bytes < FloorMemory.MOST_BYTES && received.get(ValueLayout.JAVA_BYTE, bytes) == from + 1) {
            bytes++;
        }
        return bytes;
    }

    private void expectTimes(long[] nanos) {
        assertThat(nanos).hasSizeBetween(1, TERMS.iterations());
        assertThat(Arrays.stream(nanos)).allMatch(time -> time >= 0);
        assertThat(memory.phase()).isEqualTo(Phase.IDLE);
    }

    @Test
    void aWriteIsCopiedToTheOther() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.WRITE, BYTES), TERMS));

        assertThat(copied(1, 0)).isEqualTo(BYTES);
        assertThat(copied(0, 1)).isZero();
    }

    @Test
    void aMessageComesBack() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.WRITE, 8), TERMS));
        expectTimes(requester.measure(new FloorCell(Floor.SEND, BYTES), TERMS));
        expectTimes(requester.measure(new FloorCell(Floor.WRITE, 8), TERMS));
        expectTimes(requester.measure(new FloorCell(Floor.SEND, BYTES), TERMS));

        assertThat(copied(1, 0)).isEqualTo(BYTES);
        assertThat(copied(0, 1)).isEqualTo(BYTES);
    }

    @Test
    void aCopyTakesNobodyElse() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.COPY, BYTES), TERMS));

        assertThat(copied(1, 0)).isEqualTo(BYTES);
        assertThat(memory.requests(0)).isZero();
    }

    @Test
    void aStreamIsCopiedInBatches() throws Exception {
        FloorCell cell = new FloorCell(Floor.WRITES, BYTES, 3, 8);

        expectTimes(requester.measure(cell, STREAM));
        expectTimes(requester.measure(new FloorCell(Floor.WRITES, 8, 1, 1), STREAM));

        FloorRing ring = memory.ring(0);
        assertThat(ring.asked()).isPositive().isEqualTo(ring.done());
        assertThat(ring.arrived()).isZero();
        assertThat(copied(1, 0)).isEqualTo(BYTES);
        assertThat(copied(0, 1)).isZero();
    }

    @Test
    void messagesOfAStreamAreTakenByThePeer() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.SENDS, BYTES), STREAM));

        FloorRing ring = memory.ring(0);
        assertThat(ring.arrived()).isEqualTo(ring.asked());
        assertThat(ring.arrived() - ring.taken()).isBetween(0, FloorServer.RECEIVES);
        assertThat(copied(1, 0)).isEqualTo(BYTES);
    }

    @Test
    void messagesBeyondThePostedReceivesWait() {
        MemorySegment other = Arena.ofAuto().allocate(FloorMemory.SIZE_BYTES, 4096);
        FloorMemory alone = new FloorMemory(other);
        FloorServer server = new FloorServer(alone, 0);
        FloorRing ring = alone.ring(0);
        ring.publishAsked(FloorServer.RECEIVES + 5);
        while (server.serve(true)) {
            // As many turns as it takes.
        }
        int before = ring.done();
        ring.publishTaken(2);
        while (server.serve(true)) {
            // As before.
        }

        assertThat(before).isEqualTo(FloorServer.RECEIVES);
        assertThat(ring.done()).isEqualTo(FloorServer.RECEIVES + 2);
    }

    @Test
    void aStreamOfCopiesTakesNobodyElse() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.COPIES, BYTES), STREAM));

        assertThat(copied(1, 0)).isEqualTo(BYTES);
        assertThat(memory.ring(0).asked()).isZero();
    }

    @Test
    void aCallIsAnswered() throws Exception {
        Runnable end = FloorCall.serve(folder.resolve("call"));
        try {
            expectTimes(requester.measure(new FloorCell(Floor.CALL, 0), TERMS));
            expectTimes(requester.measure(new FloorCell(Floor.CALL, 0), TERMS));
        } finally {
            end.run();
        }
    }

    @Test
    void aCallHasTheSizeOfARegistration() {
        assertThat(ControlCodec.request(FloorCall.request())).isInstanceOf(ControlRequest.RegisterMemory.class);
        assertThat(ControlCodec.reply(FloorCall.answer())).isInstanceOf(ControlReply.MemoryRegistered.class);
    }

    @Test
    void whoSleepsIsWoken() throws Exception {
        expectTimes(requester.measure(new FloorCell(Floor.FUTEX, 0), TERMS));
        expectTimes(requester.measure(new FloorCell(Floor.FUTEX, 0), TERMS));
        expectTimes(requester.measure(new FloorCell(Floor.EVENTFD, 0), TERMS));

        assertThat(memory.wakes(0)).isPositive().isEqualTo(memory.requests(0));
    }
}
