package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Windowed;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on memory windows, each run on the engine thread. */
final class WindowCommands {
    private final HcaDevice device;

    WindowCommands(HcaDevice device) {
        this.device = device;
    }

    Windowed allocate(int pd, MemoryWindow.Type type) {
        if (!device.pds().exists(pd)) {
            return new Windowed(VerbsStatus.EINVAL, 0, 0);
        }
        Window window = device.tpt().createWindow(device.pds().domain(pd), pd, type);
        if (window == null) {
            return new Windowed(VerbsStatus.ENOMEM, 0, 0);
        }
        device.bill(device.pds().domain(pd), EngineCost.COMMAND);
        device.pds().addOthers(pd, 1);
        return new Windowed(VerbsStatus.SUCCESS, window.number(), window.rkey());
    }

    VerbsStatus deallocate(int number) {
        Window window = device.tpt().windows().byNumber(number);
        if (window == null) {
            return VerbsStatus.ENOENT;
        }
        device.tpt().destroy(window);
        device.bill(device.pds().domain(window.pd()), EngineCost.COMMAND);
        device.pds().addOthers(window.pd(), -1);
        return VerbsStatus.SUCCESS;
    }
}
