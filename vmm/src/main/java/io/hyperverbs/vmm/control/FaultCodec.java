package io.hyperverbs.vmm.control;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.wire.FaultMessage;
import io.hyperverbs.vmm.control.wire.ScheduleFaultsRequest;
import io.hyperverbs.vmm.control.wire.SetLinkRequest;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.TimedFault;
import java.util.ArrayList;
import java.util.List;

/** Schedules of faults as messages and back. Stateless. */
final class FaultCodec {
    private FaultCodec() {}

    static ScheduleFaultsRequest encode(List<TimedFault> faults) {
        ScheduleFaultsRequest.Builder request = ScheduleFaultsRequest.newBuilder();
        for (TimedFault fault : faults) {
            FaultMessage.Builder message = FaultMessage.newBuilder().setAtNanos(fault.atNanos());
            switch (fault) {
                case TimedFault.SetLink link ->
                    message.setLink(SetLinkRequest.newBuilder()
                            .setFirst(link.first())
                            .setSecond(link.second())
                            .setSettings(link.settings()));
                case TimedFault.Kill kill -> message.setKill(kill.domain());
                case TimedFault.EndHost end -> message.setEndHost(end.host());
            }
            request.addFaults(message);
        }
        return request.build();
    }

    /** @throws MachineException EINVAL for a fault that is none */
    static List<TimedFault> decode(ScheduleFaultsRequest request) throws MachineException {
        List<TimedFault> faults = new ArrayList<>();
        for (FaultMessage message : request.getFaultsList()) {
            long at = message.getAtNanos();
            switch (message.getWhatCase()) {
                case LINK -> {
                    SetLinkRequest link = message.getLink();
                    faults.add(new TimedFault.SetLink(at, link.getFirst(), link.getSecond(), link.getSettings()));
                }
                case KILL -> faults.add(new TimedFault.Kill(at, message.getKill()));
                case END_HOST -> faults.add(new TimedFault.EndHost(at, message.getEndHost()));
                case WHAT_NOT_SET -> throw new MachineException(VerbsStatus.EINVAL, "a fault that does nothing");
            }
        }
        return faults;
    }
}
