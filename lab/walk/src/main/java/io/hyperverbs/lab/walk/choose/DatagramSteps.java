package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelAh;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where datagrams go. */
final class DatagramSteps {
    private final Dice dice;

    DatagramSteps(Dice dice) {
        this.dice = dice;
    }

    /** Address handle, queue pair and Q_Key, most often of somebody who takes it. */
    Place address(Model model, ModelQp from) {
        List<Integer> handles = new ArrayList<>();
        for (int slot = 0; slot < Slots.AHS; slot++) {
            ModelAh ah = model.objects().ahOf(slot);
            if (ah != null && ah.isAlive() && ah.isIn(from)) {
                handles.add(slot);
            }
        }
        int handle = dice.chance(97)
                ? dice.of(handles).orElseGet(() -> dice.below(Slots.AHS))
                : dice.between(-1, Slots.AHS - 1);
        List<Integer> receivers = new ArrayList<>();
        for (int slot = 0; slot < Slots.QPS; slot++) {
            ModelQp qp = model.objects().qp(slot);
            if (qp != null && qp.type() == QpType.UD && qp.receivesPosted() > 0) {
                receivers.add(slot);
            }
        }
        int receiver =
                dice.chance(95) ? dice.of(receivers).orElseGet(() -> dice.below(Slots.QPS)) : dice.below(Slots.QPS + 3);
        int qkey = dice.chance(90) ? 1 : dice.chance(50) ? 2 : -1;
        return new Place(handle, receiver, qkey);
    }

    /** Room for a datagram's payload where it goes. */
    int room(Model model, Place address) {
        @Nullable ModelQp to = model.objects().qp(address.offset());
        long room = to == null ? 0 : to.nextReceiveBytes() - Grh.SIZE_BYTES;
        return (int) Math.max(0, room);
    }
}
