package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.HcaCommands.QpInit;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.qp.ModifyCheck;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpPlan;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.hca.tpt.WindowTable;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/** Commands on queues, each run as a whole on the engine thread. */
final class QueueCommands {
    private final HcaDevice device;
    private final int maxCqe;
    private final CounterTotals counters;

    QueueCommands(HcaDevice device, int maxCqe) {
        this.device = device;
        this.maxCqe = maxCqe;
        this.counters = new CounterTotals(device);
    }

    private static Slotted refused(VerbsStatus status) {
        return new Slotted(status, 0, 0);
    }

    Slotted createCq(int uarNumber, long ringAddress, int entries) {
        Uar uar = device.uars().byNumber(uarNumber);
        if (uar == null || !isRing(ringAddress, CqHeaderLayout.totalBytes(entries)) || !isCqSize(entries)) {
            return refused(VerbsStatus.EINVAL);
        }
        if (device.cqs().isFull() || uar.isFull()) {
            return refused(VerbsStatus.ENOMEM);
        }
        device.bill(uar.share(), EngineCost.COMMAND);
        int slot = uar.takeSlot();
        Cq cq = device.cqs().create(uar.share().domain(), uarNumber, slot, ringAddress, entries);
        uar.bindCompletionQueue(slot, cq.number());
        return new Slotted(VerbsStatus.SUCCESS, cq.number(), slot);
    }

    boolean isCqSize(int entries) {
        return entries > 0 && entries <= maxCqe && Integer.bitCount(entries) == 1;
    }

    VerbsStatus resizeCq(int number, long ringAddress, int entries) {
        Cq cq = device.cqs().byNumber(number);
        if (cq == null) {
            return VerbsStatus.ENOENT;
        }
        bill(cq.uar());
        return isCqSize(entries)
                        && isRing(ringAddress, CqHeaderLayout.totalBytes(entries))
                        && cq.moveTo(ringAddress, entries)
                ? VerbsStatus.SUCCESS
                : VerbsStatus.EINVAL;
    }

    VerbsStatus moderateCq(int number, int count, int periodMicros) {
        Cq cq = device.cqs().byNumber(number);
        if (cq == null) {
            return VerbsStatus.ENOENT;
        }
        int max = CompletionQueue.MAX_MODERATION;
        if (count < 0 || count > max || periodMicros < 0 || periodMicros > max) {
            return VerbsStatus.EINVAL;
        }
        device.cqEvents().signal(cq, cq.moderate(count, periodMicros));
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus destroyCq(int number) {
        Cq cq = device.cqs().byNumber(number);
        if (cq == null) {
            return VerbsStatus.ENOENT;
        }
        if (cq.isUsed()) {
            return VerbsStatus.EBUSY;
        }
        bill(cq.uar());
        releaseSlot(cq.uar(), cq.slot());
        device.moderation().cancel(cq);
        device.cqs().destroy(cq);
        return VerbsStatus.SUCCESS;
    }

    Slotted createQp(QpInit init) {
        boolean isXrc = init.type().isXrc();
        Uar uar = device.uars().byNumber(init.uar());
        Cq sendCq = usable(device.cqs().byNumber(init.sendCq()), uar);
        Cq receiveCq = usable(device.cqs().byNumber(init.receiveCq()), uar);
        QpLimits limits = init.limits();
        if (uar == null
                || sendCq == null
                || receiveCq == null
                || init.weight() < 1
                || !isSrqUsable(init, uar)
                || (isXrc && (init.srq() != 0 || init.limits().receiveWr() != 0))
                || !isDomain(init, uar)
                || !QueueGeometry.isValid(
                        limits.sendWr(),
                        limits.receiveWr(),
                        limits.sendSge(),
                        limits.receiveSge(),
                        limits.inlineBytes())) {
            return refused(VerbsStatus.EINVAL);
        }
        QueueGeometry geometry = QueueGeometry.of(limits);
        if (!isRing(init.ringMachineAddress(), geometry.totalBytes())) {
            return refused(VerbsStatus.EINVAL);
        }
        if (device.qps().isFull() || uar.isFull()) {
            return refused(VerbsStatus.ENOMEM);
        }
        device.bill(uar.share(), EngineCost.COMMAND);
        int slot = uar.takeSlot();
        uar.share().weight(init.weight());
        Qp qp = device.qps()
                .create(new QpPlan(
                        uar.share(),
                        uar.pkeys(),
                        init.uar(),
                        slot,
                        init.pd(),
                        init.type(),
                        sendCq,
                        receiveCq,
                        init.ringMachineAddress(),
                        limits,
                        geometry,
                        init.srq() == 0 ? null : device.srqs().byNumber(init.srq())));
        uar.bindQueuePair(slot, qp.index());
        device.pds().addQueuePairs(init.pd(), 1);
        return new Slotted(VerbsStatus.SUCCESS, qp.qpn(), slot);
    }

    Outcome modifyQp(int qpn, QpAttributes attributes) {
        Qp qp = device.qps().byNumber(qpn);
        String refusal = qp == null
                ? "no such queue pair"
                : device.modifyCheck().refuse(qp.type(), qp.state(), qp.plan().pkeys(), attributes);
        if (qp == null || refusal != null) {
            device.contexts().count(Counter.MODIFY_REFUSED);
            return new Outcome(VerbsStatus.EINVAL, String.valueOf(refusal));
        }
        device.bill(qp.share(), EngineCost.COMMAND);
        if (qp.share().isQuarantined() && attributes.state() != QpState.ERR) {
            return new Outcome(VerbsStatus.EIO, "the domain has failed the HCA too often");
        }
        QpState to = ModifyCheck.target(qp.state(), attributes);
        switch (to) {
            case RESET -> reset(qp);
            case ERR -> device.errors().fail(qp);
            case INIT, RTR, RTS, SQD, SQE -> {
                qp.apply(attributes);
                counters.follow(qp);
                qp.route().update(qp, device.ports());
                if (to != qp.state()) {
                    qp.move(to);
                    // Requests rung before RTS, and the rest of one before SQD, go on from here.
                    device.arbiter().add(qp.share(), qp.index());
                }
                device.wire().follow(qp);
                device.lockout().connected(qp);
            }
        }
        return new Outcome(VerbsStatus.SUCCESS, "");
    }

    QpAttributes queryQp(int qpn) {
        Qp qp = device.qps().byNumber(qpn);
        return qp == null ? QpAttributes.none() : qp.query();
    }

    VerbsStatus destroyQp(int qpn) {
        Qp qp = device.qps().byNumber(qpn);
        if (qp == null) {
            return VerbsStatus.ENOENT;
        }
        if (device.groups().attachments(qp) != 0) {
            return VerbsStatus.EBUSY;
        }
        device.bill(qp.share(), EngineCost.COMMAND);
        quiesce(qp);
        counters.end(qp);
        releaseSlot(qp.plan().uar(), qp.plan().slot());
        device.pds().addQueuePairs(qp.plan().pd(), -1);
        device.wire().forget(qp);
        device.qps().destroy(qp);
        return VerbsStatus.SUCCESS;
    }

    private void reset(Qp qp) {
        quiesce(qp);
        qp.move(QpState.RESET);
        device.wire().follow(qp);
        device.qps().beginLife(qp);
    }

    private void quiesce(Qp qp) {
        endWindows(qp);
        device.timers().cancel(qp.index());
        device.arbiter().remove(qp.share(), qp.index());
    }

    // What was bound through it named its peer, whom it has no longer.
    private void endWindows(Qp qp) {
        WindowTable windows = device.tpt().windows();
        Window window = windows.boundTo(qp.qpn(), 0);
        while (window != null) {
            windows.unbind(window);
            window = windows.boundTo(qp.qpn(), window.number());
        }
    }

    private void bill(int uarNumber) {
        Uar uar = device.uars().byNumber(uarNumber);
        if (uar != null) {
            device.bill(uar.share(), EngineCost.COMMAND);
        }
    }

    private void releaseSlot(int uarNumber, int slot) {
        Uar uar = device.uars().byNumber(uarNumber);
        if (uar == null) {
            throw new IllegalStateException("UAR " + uarNumber + " was closed before its objects");
        }
        uar.releaseSlot(slot);
    }

    // Of the same domain, and not broken.
    private @Nullable Cq usable(@Nullable Cq cq, @Nullable Uar uar) {
        if (cq == null || uar == null || cq.isBroken()) {
            return null;
        }
        Uar owner = device.uars().byNumber(cq.uar());
        return owner != null && owner.share() == uar.share() ? cq : null;
    }

    // A target is in an XRC domain, all others in a protection domain.
    private boolean isDomain(QpInit init, Uar uar) {
        boolean there = init.type() == QpType.XRC_RECV
                ? device.pds().isXrcd(init.pd())
                : device.pds().exists(init.pd());
        return there && device.pds().domain(init.pd()) == uar.share().domain();
    }

    // Of the same domain, not broken, and in place of the own ring.
    private boolean isSrqUsable(QpInit init, Uar uar) {
        if (init.srq() == 0) {
            return true;
        }
        Srq srq = device.srqs().byNumber(init.srq());
        Uar owner = srq == null ? null : device.uars().byNumber(srq.uar());
        return srq != null
                && owner != null
                && owner.share() == uar.share()
                && !srq.isBroken()
                && srq.xrcd() == 0
                && init.limits().receiveWr() == 0;
    }

    boolean isRing(long address, long lengthBytes) {
        return isRing(device, address, lengthBytes);
    }

    static boolean isRing(HcaDevice device, long address, long lengthBytes) {
        long size = device.contexts().memory().byteSize();
        return address >= 0
                && (address & 63) == 0
                && lengthBytes > 0
                && address <= size
                && lengthBytes <= size - address;
    }
}
