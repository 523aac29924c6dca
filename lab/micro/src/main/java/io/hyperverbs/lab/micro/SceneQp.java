package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.micro.HcaScene.Buffer;
import io.hyperverbs.lab.micro.HcaScene.Guest;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

/** A queue pair of RC with a completion queue, and its guest's ends of the rings. */
final class SceneQp {
    /** Requests that it has room for; a power of two. */
    static final int DEPTH = 128;

    private static final int PSN = 1;

    private final HcaScene scene;
    private final Guest guest;
    private final int qpn;
    private final int slot;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final CompletionRing completions;
    private final WorkCompletion completion = new WorkCompletion();

    SceneQp(HcaScene scene, Guest guest) {
        this.scene = scene;
        this.guest = guest;
        long cq = scene.allocate(CqHeaderLayout.totalBytes(2 * DEPTH));
        HcaCommands.Slotted queue = scene.hca.createCq(guest.uar, cq, 2 * DEPTH);
        HcaScene.require(queue.status());
        completions = new CompletionRing(scene.memory, cq, 2 * DEPTH);
        QpLimits limits = QpLimits.of(DEPTH, DEPTH);
        QueueGeometry geometry = QueueGeometry.of(limits);
        long rings = scene.allocate(geometry.totalBytes());
        HcaCommands.Slotted made = scene.hca.createQp(new HcaCommands.QpInit(
                guest.uar, guest.pd, QpType.RC, queue.number(), queue.number(), rings, limits, 1));
        HcaScene.require(made.status());
        qpn = made.number();
        slot = made.slot();
        sends = new SendRing(scene.memory, rings, geometry);
        receives = new ReceiveRing(scene.memory, rings, geometry);
    }

    static void connect(SceneQp a, SceneQp b) {
        a.move(QpAttributes.toInit(HcaScene.RIGHTS));
        b.move(QpAttributes.toInit(HcaScene.RIGHTS));
        a.move(QpAttributes.toRtr(b.endpoint()));
        b.move(QpAttributes.toRtr(a.endpoint()));
        a.move(QpAttributes.toRts(PSN));
        b.move(QpAttributes.toRts(PSN));
    }

    private Endpoint endpoint() {
        return new Endpoint(HcaScene.LID, qpn, PSN, 0, 0, 0);
    }

    private void move(QpAttributes attributes) {
        HcaScene.require(scene.hca.modifyQp(qpn, attributes).status());
    }

    /** Fills the send slot {@code ahead} of the next with a signalled request; {@link #publish} makes it one. */
    void fillSend(int ahead, int opcode, Buffer from, int bytes, Buffer to) {
        long wqe = sends.slot(ahead);
        SendWqeLayout.writeHead(scene.memory, wqe, ahead, opcode, SendFlags.SIGNALLED);
        SendWqeLayout.writeRemote(scene.memory, wqe, to.address(), to.rkey());
        SendWqeLayout.writeSegmentCount(scene.memory, wqe, 1);
        SendWqeLayout.writeSegment(scene.memory, wqe, 0, from.address(), bytes, from.lkey());
    }

    /** Publishes filled sends by one doorbell. */
    void publish(int count) {
        sends.publish(count);
        guest.doorbell.ring(slot);
    }

    void receive(Buffer into, int bytes, int count) {
        for (int i = 0; i < count; i++) {
            long wqe = receives.slot(i);
            ReceiveWqeLayout.writeHead(scene.memory, wqe, i);
            ReceiveWqeLayout.writeSegmentCount(scene.memory, wqe, 1);
            ReceiveWqeLayout.writeSegment(scene.memory, wqe, 0, into.address(), bytes, into.lkey());
        }
        receives.publish(count);
    }

    /** Takes so many completions, which are there; each has to be of a success. */
    void take(int count) {
        for (int i = 0; i < count; i++) {
            if (!completions.hasNext()) {
                throw new IllegalStateException(i + " of " + count + " completions");
            }
            completions.read(completion);
            if (completion.status() != VerbsStatus.SUCCESS) {
                throw new IllegalStateException("completed with " + completion.status());
            }
            if (completions.isReceive()) {
                receives.freeOne();
            } else {
                sends.freeUpTo(completions.sqHead());
            }
            completions.advance();
        }
        completions.publishConsumer();
    }
}
