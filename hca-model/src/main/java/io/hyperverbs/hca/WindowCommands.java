package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Windowed;
import io.hyperverbs.hca.engine.Card;
import io.hyperverbs.hca.schedule.Price;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on memory windows, each run on the engine thread. */
final class WindowCommands {
    private final Card card;

    WindowCommands(Card card) {
        this.card = card;
    }

    Windowed allocate(int pd, MemoryWindow.Type type) {
        if (!card.pds().exists(pd)) {
            return new Windowed(VerbsStatus.EINVAL, 0, 0);
        }
        Window window = card.tpt().createWindow(card.pds().domain(pd), pd, type);
        if (window == null) {
            return new Windowed(VerbsStatus.ENOMEM, 0, 0);
        }
        card.bill(card.pds().domain(pd), Price.COMMAND);
        card.pds().addOthers(pd, 1);
        return new Windowed(VerbsStatus.SUCCESS, window.number(), window.rkey());
    }

    VerbsStatus deallocate(int number) {
        Window window = card.tpt().windows().byNumber(number);
        if (window == null) {
            return VerbsStatus.ENOENT;
        }
        card.tpt().destroy(window);
        card.bill(card.pds().domain(window.pd()), Price.COMMAND);
        card.pds().addOthers(window.pd(), -1);
        return VerbsStatus.SUCCESS;
    }
}
