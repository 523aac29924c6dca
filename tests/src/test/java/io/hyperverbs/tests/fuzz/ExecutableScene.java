package io.hyperverbs.tests.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.frontend.executable.ExecutableDoor;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A guest whose driver serves two executables, over sockets as they are: the attacker, and a neighbour that has one of
 * each object. The driver has one of each, too, and so has another guest. What the attacker says must leave all of them
 * as they were, and must be gone when its connection ends.
 */
final class ExecutableScene implements AutoCloseable {
    private static final Map<String, String> QUOTAS =
            Map.of("quota.qp", "6", "quota.cq", "6", "quota.mr", "8", "quota.pd", "6");
    private static final int DRIVERS_FRAMES = 16;
    private static final int FRAMES = 24;
    private static final int MEMORY_BYTES = FRAMES * 4096;

    /** Stands for pages that the VMM grants, which are within machine memory here. */
    private static final Fd PAGE = memory(4096);

    /** Files cost more than all else here, so each thread has some and zeroes them. */
    private static final ThreadLocal<Files> FILES = ThreadLocal.withInitial(Files::new);

    private static final class Files {
        private final List<Fd> own = List.of(memory(MEMORY_BYTES), memory(MEMORY_BYTES));
        private MemorySegment machine = MemorySegment.NULL;

        MemorySegment machine(long bytes) {
            if (machine.byteSize() != bytes) {
                try (Fd memfd = memory(bytes)) {
                    machine = MemoryMap.map(memfd, bytes, false, Arena.global());
                } catch (PosixException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return machine.fill((byte) 0);
        }
    }

    private final BackendScene guest =
            new BackendScene(QUOTAS, (_, bytes) -> FILES.get().machine(bytes));
    private final List<ExecutableMemory> memories = new ArrayList<>();
    private final List<Long> granted = new ArrayList<>();
    private final ExecutableDoor.Served neighbour;
    private final ExecutableDoor.Served attacker;
    private final ObjectSet drivers;
    private final ObjectSet neighbours;
    private final byte[] driversBytes;
    private final byte[] neighboursBytes;
    private final List<Long> before;
    private boolean judged;

    ExecutableScene() {
        try {
            FrameRun ram = guest.ram();
            for (Fd memfd : FILES.get().own) {
                long first = ram.firstFrame() + DRIVERS_FRAMES + (long) memories.size() * FRAMES;
                MemoryMap.mapOver(guest.machineMemory(), first * 4096, memfd, MEMORY_BYTES);
                memories.add(new ExecutableMemory(first, FRAMES, memfd));
                bytes(memories.getLast()).fill((byte) 0);
            }
            ExecutableDoor door = new ExecutableDoor(memories);
            neighbour = door.connect(path(null), _ -> page());
            attacker = door.connect(path(memories.get(1)), grant -> {
                granted.add(grant);
                return page();
            });
            drivers().fill((byte) 0xd0);
            bytes(neighbour.memory()).fill((byte) 0xb0);
            drivers = new ObjectSet(guest::asAttacker, ram.firstFrame());
            neighbours = new ObjectSet(this::asNeighbour, 0);
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        }
        driversBytes = drivers().toArray(JAVA_BYTE);
        neighboursBytes = bytes(neighbour.memory()).toArray(JAVA_BYTE);
        before = guest.counts();
        guest.known().addAll(drivers.handles());
        guest.known().addAll(neighbours.handles());
        guest.known().addAll(List.of((long) FRAMES, FRAMES - 1L));
    }

    private static Fd memory(long bytes) {
        try {
            return Memfd.create("hv-fuzz", bytes, false);
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A descriptor of no worth. */
    static Fd page() {
        try {
            return PAGE.duplicate();
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MemorySegment drivers() {
        return guest.machineMemory().asSlice(guest.ram().firstFrame() * 4096, DRIVERS_FRAMES * 4096L);
    }

    private MemorySegment bytes(ExecutableMemory memory) {
        return guest.machineMemory().asSlice(memory.firstMachineFrame() * 4096, MEMORY_BYTES);
    }

    /** To the backend; frames that are passed on are {@code only}'s, if that is not null. */
    private ControlPath path(ExecutableMemory only) {
        return new ControlPath() {
            @Override
            public ControlReply call(ControlRequest request) {
                if (only != null) {
                    for (FrameRun run : runs(request)) {
                        require(
                                run.firstFrame() >= only.firstMachineFrame()
                                        && run.firstFrame() - only.firstMachineFrame() + run.count() <= FRAMES,
                                run + " is passed on");
                    }
                }
                synchronized (guest) {
                    return guest.asAttacker(request);
                }
            }

            @Override
            public void subscribe(EventSink sink) {}

            @Override
            public void close() {}
        };
    }

    private static List<FrameRun> runs(ControlRequest request) {
        return switch (request) {
            case ControlRequest.RegisterMemory r -> r.runs();
            case ControlRequest.ReregisterMemory r -> r.runs();
            case ControlRequest.RegisterRing r -> r.runs();
            default -> List.of();
        };
    }

    private ControlReply asNeighbour(ControlRequest request) {
        try {
            PacketSocket program = neighbour.program();
            program.send(ControlCodec.bytesOf(request), List.of());
            Packet packet = program.receive();
            require(packet != null, "the neighbour's connection ended");
            packet.discard();
            return ControlCodec.reply(packet.bytes());
        } catch (PosixException e) {
            throw new AssertionError("the neighbour's connection", e);
        }
    }

    /** The attacker's end of its connection. */
    PacketSocket socket() {
        return attacker.program();
    }

    /** Numbers that mean something here, the attacker's newest last. */
    List<Long> known() {
        return guest.known();
    }

    /** The doorbell page that was granted last. */
    long lastPage() {
        return granted.get(granted.size() - 2) * 4096;
    }

    /** Rings in one of the attacker's pages. */
    void ring(long page, int slot) {
        UarLayout.ring(guest.machineMemory(), page, slot);
    }

    /** The attacker writes into its own memory, as far as that reaches. */
    void write(long at, byte[] what) {
        MemorySegment own = bytes(attacker.memory()).asSlice(Math.floorMod(at, MEMORY_BYTES));
        MemorySegment.copy(what, 0, own, JAVA_BYTE, 0, (int) Math.min(what.length, own.byteSize()));
    }

    /** Time passes, and the HCA works. */
    void work() {
        synchronized (guest) {
            guest.work();
        }
    }

    /** Ends the attacker's connection; nothing of it may be left, and all others are as they were. */
    void judge() {
        judged = true;
        work();
        attacker.end();
        work();
        require(guest.counts().equals(before), "objects and pins " + guest.counts() + ", before " + before);
        require(bytes(attacker.memory()).mismatch(MemorySegment.ofArray(new byte[MEMORY_BYTES])) < 0, "memory is left");
        require(Arrays.equals(bytes(neighbour.memory()).toArray(JAVA_BYTE), neighboursBytes), "the neighbour's memory");
        require(Arrays.equals(drivers().toArray(JAVA_BYTE), driversBytes), "the driver's memory");
        require(drivers.isThere() && neighbours.isThere(), "objects of others are gone");
        neighbour.end();
        guest.judge();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public void close() {
        if (!judged) {
            attacker.end();
            neighbour.end();
        }
        guest.close();
    }
}
