package io.hyperverbs.tests.fuzz;

import io.hyperverbs.vmm.domain.HypercallDoor;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;

/** Packets on a guest's hypercall socket: built field by field, or raw bytes. */
final class HypercallTarget implements FuzzTarget {
    private static final int MOST_PACKETS = 80;

    @Override
    public void play(Input input) {
        HypercallDoor door = new HypercallDoor();
        boolean open = true;
        for (int i = 0; open && i < MOST_PACKETS && input.hasMore(); i++) {
            open = door.packet(packet(door, input));
        }
        door.judge();
    }

    private static byte[] packet(HypercallDoor door, Input input) {
        if (input.below(8) == 0) {
            return input.next(input.nextByte());
        }
        HypercallRequest.Builder request = HypercallRequest.newBuilder();
        new MessageShape(input, door.known()).fill(request);
        if (input.below(16) != 0) {
            request.setId(1 + input.nextByte());
        }
        return request.build().toByteArray();
    }
}
