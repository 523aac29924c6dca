package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.SrqInit;
import io.hyperverbs.hca.HcaCommands.SrqState;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.engine.Card;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.schedule.Price;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.srq.SrqPlan;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on shared receive queues, each run as a whole on the engine thread. */
final class SrqCommands {
    private final Card card;

    SrqCommands(Card card) {
        this.card = card;
    }

    Numbered create(SrqInit init) {
        Uar uar = card.uars().byNumber(init.uar());
        if (uar == null
                || !SrqGeometry.isValid(init.receiveWr(), init.receiveSge())
                || !card.pds().exists(init.pd())
                || card.pds().domain(init.pd()) != uar.share().domain()
                || !isXrcValid(init, uar)) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        SrqGeometry geometry = SrqGeometry.of(init.receiveWr(), init.receiveSge());
        if (!QueueCommands.isRing(card, init.ringMachineAddress(), geometry.totalBytes())) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        if (card.srqs().isFull()) {
            return new Numbered(VerbsStatus.ENOMEM, 0);
        }
        card.bill(uar.share(), Price.COMMAND);
        Srq srq = card.srqs()
                .create(new SrqPlan(
                        uar.share().domain(),
                        init.uar(),
                        init.pd(),
                        init.ringMachineAddress(),
                        geometry,
                        init.receiveSge(),
                        init.xrcd(),
                        init.xrcd() == 0 ? null : card.cqs().byNumber(init.cq())));
        card.pds().addOthers(init.pd(), 1);
        if (init.xrcd() != 0) {
            card.pds().addOthers(init.xrcd(), 1);
        }
        uar.addSlotless(1);
        return new Numbered(VerbsStatus.SUCCESS, srq.srqn());
    }

    // Domain and queue of XRC, both of the same domain as the rest, or neither.
    private boolean isXrcValid(SrqInit init, Uar uar) {
        if (init.xrcd() == 0) {
            return init.cq() == 0;
        }
        Cq cq = card.cqs().byNumber(init.cq());
        Uar owner = cq == null || cq.isBroken() ? null : card.uars().byNumber(cq.uar());
        return owner != null
                && owner.share() == uar.share()
                && card.pds().isXrcd(init.xrcd())
                && card.pds().domain(init.xrcd()) == uar.share().domain();
    }

    VerbsStatus arm(int srqn, int limit) {
        Srq srq = card.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (limit < 0 || limit > srq.entries()) {
            return VerbsStatus.EINVAL;
        }
        if (srq.arm(limit)) {
            card.errors().raise(srq.events(), AsyncEvent.Type.SRQ_LIMIT_REACHED);
        }
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus resize(int srqn, long ringAddress, int receiveWr) {
        Srq srq = card.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (!SrqGeometry.isValid(receiveWr, srq.maxSegments())) {
            return VerbsStatus.EINVAL;
        }
        card.bill(card.pds().domain(srq.pd()), Price.COMMAND);
        SrqGeometry geometry = SrqGeometry.of(receiveWr, srq.maxSegments());
        boolean moved = srq.limit() <= geometry.entries()
                && QueueCommands.isRing(card, ringAddress, geometry.totalBytes())
                && srq.moveTo(ringAddress, geometry);
        return moved ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }

    SrqState query(int srqn) {
        Srq srq = card.srqs().byNumber(srqn);
        return srq == null
                ? new SrqState(VerbsStatus.ENOENT, 0, 0, 0)
                : new SrqState(VerbsStatus.SUCCESS, srq.entries(), srq.limit(), srq.head());
    }

    VerbsStatus destroy(int srqn) {
        Srq srq = card.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (srq.isUsed()) {
            return VerbsStatus.EBUSY;
        }
        Uar uar = card.uars().byNumber(srq.uar());
        if (uar != null) {
            uar.addSlotless(-1);
        }
        card.bill(card.pds().domain(srq.pd()), Price.COMMAND);
        card.pds().addOthers(srq.pd(), -1);
        if (srq.xrcd() != 0) {
            card.pds().addOthers(srq.xrcd(), -1);
            card.qps().forget(srq);
            card.bill(card.pds().domain(srq.pd()), Price.SCAN);
        }
        card.srqs().destroy(srq);
        return VerbsStatus.SUCCESS;
    }
}
