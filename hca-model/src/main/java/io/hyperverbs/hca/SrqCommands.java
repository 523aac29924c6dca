package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.SrqInit;
import io.hyperverbs.hca.HcaCommands.SrqState;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.srq.SrqPlan;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on shared receive queues, each run as a whole on the engine thread. */
final class SrqCommands {
    private final HcaDevice device;

    SrqCommands(HcaDevice device) {
        this.device = device;
    }

    Numbered create(SrqInit init) {
        Uar uar = device.uars().byNumber(init.uar());
        if (uar == null
                || !SrqGeometry.isValid(init.receiveWr(), init.receiveSge())
                || !device.pds().exists(init.pd())
                || device.pds().domain(init.pd()) != uar.share().domain()
                || !isXrcValid(init, uar)) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        SrqGeometry geometry = SrqGeometry.of(init.receiveWr(), init.receiveSge());
        if (!QueueCommands.isRing(device, init.ringMachineAddress(), geometry.totalBytes())) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        if (device.srqs().isFull()) {
            return new Numbered(VerbsStatus.ENOMEM, 0);
        }
        device.bill(uar.share(), EngineCost.COMMAND);
        Srq srq = device.srqs()
                .create(new SrqPlan(
                        uar.share().domain(),
                        init.uar(),
                        init.pd(),
                        init.ringMachineAddress(),
                        geometry,
                        init.receiveSge(),
                        init.xrcd(),
                        init.xrcd() == 0 ? null : device.cqs().byNumber(init.cq())));
        device.pds().addOthers(init.pd(), 1);
        if (init.xrcd() != 0) {
            device.pds().addOthers(init.xrcd(), 1);
        }
        uar.addSlotless(1);
        return new Numbered(VerbsStatus.SUCCESS, srq.srqn());
    }

    // Domain and queue of XRC, both of the same domain as the rest, or neither.
    private boolean isXrcValid(SrqInit init, Uar uar) {
        if (init.xrcd() == 0) {
            return init.cq() == 0;
        }
        Cq cq = device.cqs().byNumber(init.cq());
        Uar owner = cq == null || cq.isBroken() ? null : device.uars().byNumber(cq.uar());
        return owner != null
                && owner.share() == uar.share()
                && device.pds().isXrcd(init.xrcd())
                && device.pds().domain(init.xrcd()) == uar.share().domain();
    }

    VerbsStatus arm(int srqn, int limit) {
        Srq srq = device.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (limit < 0 || limit > srq.entries()) {
            return VerbsStatus.EINVAL;
        }
        if (srq.arm(limit)) {
            device.raiser().raise(srq.events(), AsyncEvent.Type.SRQ_LIMIT_REACHED);
        }
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus resize(int srqn, long ringAddress, int receiveWr) {
        Srq srq = device.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (!SrqGeometry.isValid(receiveWr, srq.maxSegments())) {
            return VerbsStatus.EINVAL;
        }
        device.bill(device.pds().domain(srq.pd()), EngineCost.COMMAND);
        SrqGeometry geometry = SrqGeometry.of(receiveWr, srq.maxSegments());
        boolean moved = srq.limit() <= geometry.entries()
                && QueueCommands.isRing(device, ringAddress, geometry.totalBytes())
                && srq.moveTo(ringAddress, geometry);
        return moved ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }

    SrqState query(int srqn) {
        Srq srq = device.srqs().byNumber(srqn);
        return srq == null
                ? new SrqState(VerbsStatus.ENOENT, 0, 0, 0)
                : new SrqState(VerbsStatus.SUCCESS, srq.entries(), srq.limit(), srq.head());
    }

    VerbsStatus destroy(int srqn) {
        Srq srq = device.srqs().byNumber(srqn);
        if (srq == null) {
            return VerbsStatus.ENOENT;
        }
        if (srq.isUsed()) {
            return VerbsStatus.EBUSY;
        }
        Uar uar = device.uars().byNumber(srq.uar());
        if (uar != null) {
            uar.addSlotless(-1);
        }
        device.bill(device.pds().domain(srq.pd()), EngineCost.COMMAND);
        device.pds().addOthers(srq.pd(), -1);
        if (srq.xrcd() != 0) {
            device.pds().addOthers(srq.xrcd(), -1);
            device.qps().forget(srq);
            device.bill(device.pds().domain(srq.pd()), EngineCost.SCAN);
        }
        device.srqs().destroy(srq);
        return VerbsStatus.SUCCESS;
    }
}
