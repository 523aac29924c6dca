package io.hyperverbs.tests.fuzz;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Packets on the driver's socket for executables: the input is a sequence of requests, built field by field or given as
 * raw bytes, and of what a program does by itself in its memory and on its doorbell pages. {@link ExecutableScene} has
 * those around it, and judges.
 */
final class ExecutableTarget implements FuzzTarget {
    private static final int MOST_STEPS = 40;

    /** Fields of 64 bits that name no object; any other does. */
    private static final Set<String> NUMBERS = Set.of("request_id", "length_bytes", "first_frame", "count");

    private static final byte[] NO_MESSAGE = {1, 2, 3};

    /** One input's run. */
    private static final class Run {
        private final ExecutableScene scene;
        private final Input input;
        private final Set<Long> own = new HashSet<>();
        private final Map<Long, Long> pages = new HashMap<>();

        Run(ExecutableScene scene, Input input) {
            this.scene = scene;
            this.input = input;
        }

        void steps() throws PosixException {
            boolean open = true;
            for (int i = 0; open && i < MOST_STEPS && input.hasMore(); i++) {
                int what = input.below(16);
                switch (what) {
                    case 11 -> scene.write(input.nextInt(), input.next(input.nextByte()));
                    case 12 -> ring();
                    case 13 -> scene.work();
                    case 14 -> open = raw();
                    default -> open = request();
                }
            }
            if (open) {
                // It ends by this; whatever comes before the end comes unasked.
                require(exchange(NO_MESSAGE, List.of()) == null, "a reply nobody asked for");
            }
        }

        private void ring() {
            List<Long> there = new ArrayList<>(pages.values());
            int slot = input.nextInt() & 0xfff;
            if (!there.isEmpty()) {
                scene.ring(there.get(slot % there.size()), slot);
            }
        }

        /** False if the connection ended. */
        private boolean request() throws PosixException {
            ControlRequestMessage.Builder message = ControlRequestMessage.newBuilder();
            new MessageShape(input, scene.known()).fill(message);
            return judge(message.build(), exchange(message.build().toByteArray(), List.of()));
        }

        private boolean raw() throws PosixException {
            boolean withDescriptor = input.below(8) == 0;
            byte[] bytes = input.next(1 + input.nextByte());
            if (bytes.length == 0) {
                return true;
            }
            byte[] reply;
            if (withDescriptor) {
                try (Fd page = ExecutableScene.page()) {
                    reply = exchange(bytes, List.of(page));
                }
                require(reply == null, "descriptors are taken");
                return false;
            }
            reply = exchange(bytes, List.of());
            try {
                return judge(ControlRequestMessage.parseFrom(bytes), reply);
            } catch (InvalidProtocolBufferException e) {
                // Whatever our own parser took it for, it was answered as that.
                return reply != null;
            }
        }

        private byte[] exchange(byte[] bytes, List<Fd> descriptors) throws PosixException {
            PacketSocket socket = scene.socket();
            socket.send(bytes, descriptors);
            Packet reply = socket.receive();
            if (reply == null) {
                return null;
            }
            reply.discard();
            return reply.bytes();
        }

        private boolean judge(ControlRequestMessage request, byte[] bytes) {
            if (bytes == null) {
                return false;
            }
            ControlReplyMessage reply;
            try {
                reply = ControlReplyMessage.parseFrom(bytes);
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError("a reply that is none", e);
            }
            String words = reply.getMessage();
            require(!words.contains("Exception") && !words.contains("\tat "), "words of an exception: " + words);
            if (reply.getStatus() == 0) {
                require(own.containsAll(handles(request)), "foreign objects: " + request + ", " + own);
                learn(request, reply);
            }
            return true;
        }

        private void learn(ControlRequestMessage request, ControlReplyMessage reply) {
            if (request.hasDestroy()) {
                own.remove(request.getDestroy().getHandle());
                pages.remove(request.getDestroy().getHandle());
            }
            List<Long> given = handles(reply);
            own.addAll(given);
            if (reply.hasContextOpened()) {
                require(given.size() == 1, "grants of the guest: " + reply);
                pages.put(given.getFirst(), scene.lastPage());
            }
            scene.known().addAll(MessageShape.numbers(reply));
        }

        private static List<Long> handles(Message message) {
            List<Long> found = new ArrayList<>();
            message.getAllFields().forEach((field, value) -> {
                if (value instanceof Message part) {
                    found.addAll(handles(part));
                } else if (field.getType() == FieldDescriptor.Type.UINT64 && !NUMBERS.contains(field.getName())) {
                    found.add((Long) value);
                }
            });
            found.removeIf(handle -> handle == 0);
            return found;
        }

        private static void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise);
            }
        }
    }

    @Override
    public void play(Input input) {
        try (ExecutableScene scene = new ExecutableScene()) {
            try {
                new Run(scene, input).steps();
            } catch (PosixException e) {
                throw new AssertionError("the socket", e);
            }
            scene.judge();
        }
    }
}
