package io.hyperverbs.vmm.domain;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.vmm.hypercall.ConnectionDoor;
import io.hyperverbs.vmm.hypercall.ConnectionDoor.Answer;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.store.StorePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The VMM's side of a guest's hypercalls without processes: guest {@code a} calls, guest {@code b}
 * and the backend have something to lose.
 */
public final class HypercallDoor {
    private static final int BACKEND = 1;
    private static final int CALLER = 2;
    private static final int OTHER = 3;
    private static final String VALUE = "b's value";

    private final Machine machine;
    private final DomainCalls service;
    private final ConnectionDoor door = new ConnectionDoor();
    private final Extent granted;
    private final Grant grant;
    private final Grant foreign;
    private final StorePath othersKey = StorePath.of("b", "key");
    private final long usedFrames;
    private int served;
    private int waits;

    /** Two guests and a backend, with memory and grants. */
    public HypercallDoor() {
        try {
            machine = new Machine(Path.of("/nonexistent"), null, () -> {});
            DomainRecord caller = add(CALLER, "a");
            caller.ram = machine.frames().allocate(CALLER, FrameKind.RAM, 4);
            add(OTHER, "b").ram = machine.frames().allocate(OTHER, FrameKind.RAM, 4);
            granted = machine.frames().allocate(BACKEND, FrameKind.UAR, 1);
            grant = machine.grants().grant(granted, CALLER, false);
            Extent others = machine.frames().allocate(BACKEND, FrameKind.UAR, 1);
            foreign = machine.grants().grant(others, OTHER, false);
            service = new DomainCalls(machine, caller);
        } catch (PosixException | MachineException e) {
            throw new IllegalStateException(e);
        }
        var _ = machine.store().write(othersKey, VALUE);
        usedFrames = machine.frames().usedFrames();
    }

    private DomainRecord add(int id, String name) throws MachineException {
        DomainSpec spec = new DomainSpec(
                name, DomainKind.GUEST, 16384, List.of(), Optional.empty(), List.of(), "", List.of(), Map.of());
        Path folder = Path.of("/nonexistent", name);
        DomainRecord domain = new DomainRecord(
                id,
                spec,
                new HcaRecord("hv0", machine.table()),
                new DomainFolder(folder, folder),
                0,
                new byte[] {7},
                0);
        machine.table().add(domain);
        domain.admitted.complete(null);
        return domain;
    }

    /** Numbers that mean something here. */
    public List<Long> known() {
        return List.of(
                granted.firstMachineFrame(), (long) OTHER, foreign.reference(), (long) CALLER, grant.reference());
    }

    /** A packet of the guest; false: its connection would end here. */
    public boolean packet(byte[] bytes) {
        try {
            HypercallRequest request = door.arrived(bytes);
            service.serve(request, door.connection());
            served++;
            waits += request.hasStoreRead() && request.getStoreRead().getWaitMillis() != 0 ? 1 : 0;
            return true;
        } catch (ProtocolViolation | InvalidProtocolBufferException e) {
            return false;
        }
    }

    /** Ends the connection and looks at what was answered, and at what the others have. */
    public void judge() {
        service.connectionLost(door.connection());
        List<Answer> answers = door.end();
        // Whoever waited may have been answered too late, by the timer's thread.
        require(
                answers.size() <= served && answers.size() >= served - waits,
                answers.size() + " answers of " + served + " calls, " + waits + " waited");
        for (Answer answer : answers) {
            switch (answer.reply().getReplyCase()) {
                case MAPPED ->
                    require(
                            answer.descriptors() == 1
                                    && answer.reply().getMapped().getExtent().getFirstMachineFrame()
                                            == granted.firstMachineFrame(),
                            "mapped " + answer.reply());
                case BOOT ->
                    require(
                            answer.descriptors() == 1
                                    && answer.reply().getBoot().getDomain() == CALLER,
                            "boot " + answer.reply());
                case STORE_VALUE, REPLY_NOT_SET ->
                    require(answer.descriptors() == 0, "descriptors with " + answer.reply());
                case FRAMES, GRANT, NOTICE -> throw new AssertionError("a guest got " + answer.reply());
            }
        }
        require(machine.frames().usedFrames() == usedFrames, "frames taken or freed");
        require(machine.frames().pins() == 0, "frames pinned");
        require(machine.grants().size() == 2, "grants made or ended");
        require(machine.store().read(othersKey).equals(Optional.of(VALUE)), "b's key written");
        for (int domain : new int[] {BACKEND, CALLER, OTHER}) {
            machine.frames().freeAll(domain);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
