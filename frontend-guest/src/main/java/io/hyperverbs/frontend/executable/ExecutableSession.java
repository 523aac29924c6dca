package io.hyperverbs.frontend.executable;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The verbs of one executable: requests that come over its socket are judged as those of a stranger, passed on, and
 * answered in order. When the connection ends its objects are destroyed. One thread.
 */
final class ExecutableSession {
    /** Opens files that the VMM grants. */
    @FunctionalInterface
    interface Grants {
        Fd open(long reference) throws HypercallException;
    }

    /** A reply with nothing but status 0, which is written here: a packet without bytes is the connection's end. */
    private static final byte[] DONE = {1 << 3, 0};

    private final PacketSocket socket;
    private final PrivilegedVerbs verbs;
    private final EventDispatcher events;
    private final Grants grants;
    private final ExecutableMemory memory;
    private final OwnObjects objects = new OwnObjects();

    /** By handle of the CM channel. */
    private final Map<Long, PipeBell> bells = new HashMap<>();

    ExecutableSession(
            PacketSocket socket,
            PrivilegedVerbs verbs,
            EventDispatcher events,
            Grants grants,
            ExecutableMemory memory) {
        this.socket = socket;
        this.verbs = verbs;
        this.events = events;
        this.grants = grants;
        this.memory = memory;
    }

    /**
     * Serves until the executable is gone, or says what no library says.
     *
     * @return whether nothing of it is left in the HCA: its memory may be another's then
     */
    boolean serve() {
        try {
            for (Packet packet = socket.receive(); packet != null; packet = socket.receive()) {
                serve(packet.bytes());
            }
        } catch (IOException | ProtocolViolation e) {
            // Its own fault, and its own end.
        }
        return destroyAll();
    }

    private void serve(byte[] message) throws IOException {
        ControlRequest request = ControlCodec.parseCall(message).content().request();
        List<Fd> descriptors = new ArrayList<>();
        try {
            ControlReply reply = answer(request, descriptors);
            byte[] bytes = ControlCodec.bytesOf(reply);
            socket.send(bytes.length == 0 ? DONE : bytes, descriptors);
        } finally {
            descriptors.forEach(Fd::close);
        }
    }

    private ControlReply answer(ControlRequest request, List<Fd> descriptors) {
        try {
            check(request);
            ControlReply reply = verbs.reply(OwnFrames.inMachine(request, memory));
            objects.learn(request, reply);
            if (request instanceof ControlRequest.Management management) {
                return managed(management.request(), reply, descriptors);
            }
            return reply instanceof ControlReply.ContextOpened opened ? opened(opened, descriptors) : reply;
        } catch (VerbsException e) {
            return new ControlReply.Refused(e.status(), String.valueOf(e.getMessage()));
        }
    }

    private void check(ControlRequest request) throws VerbsException {
        if (!objects.owns(request)) {
            throw new VerbsException(VerbsStatus.ENOENT, "no such object of this program");
        }
        switch (request) {
            case ControlRequest.OpenContext open
            when open.dataPath() != DataPathKind.BYPASS ->
                throw new VerbsException(VerbsStatus.ENOSYS, "executables have no data path but bypass");
            // It reaches all of the guest's memory.
            case ControlRequest.AllocateDmaKey _ ->
                throw new VerbsException(VerbsStatus.EPERM, "a key to all memory is the guest's");
            case ControlRequest.Management management
            when management.request() instanceof ManagementRequest.RegisterService ->
                throw new VerbsException(VerbsStatus.ENOSYS, "executables register no services");
            default -> {}
        }
    }

    /** The pages go with the reply; grants mean nothing to an executable. */
    private ControlReply opened(ControlReply.ContextOpened opened, List<Fd> descriptors) throws VerbsException {
        try {
            descriptors.add(grants.open(opened.uarGrant()));
            descriptors.add(grants.open(opened.statusGrant()));
            return new ControlReply.ContextOpened(opened.context(), 0, 0);
        } catch (HypercallException e) {
            // The program does not learn the handle: the context goes when its connection does.
            throw new VerbsException(e.status(), "pages of the context: " + e.getMessage());
        }
    }

    /** A channel comes with what is read when it has events. */
    private ControlReply managed(ManagementRequest request, ControlReply reply, List<Fd> descriptors)
            throws VerbsException {
        switch (request) {
            case ManagementRequest.CreateChannel _
            when reply instanceof ControlReply.Management(ManagementReply.Opened opened) ->
                descriptors.add(addBell(opened.handle()));
            case ManagementRequest.Release release
            when reply instanceof ControlReply.Done -> removeBell(release.handle());
            default -> {}
        }
        return reply;
    }

    private Fd addBell(long channel) throws VerbsException {
        try {
            PipeBell bell = PipeBell.create();
            bells.put(channel, bell);
            events.addBell(channel, bell);
            return bell.readEnd();
        } catch (PosixException e) {
            // The program does not learn the handle: the channel goes when its connection does.
            throw new VerbsException(VerbsStatus.EAGAIN, "pipe of a channel: " + e.getMessage());
        }
    }

    private void removeBell(long channel) {
        PipeBell bell = bells.remove(channel);
        if (bell != null) {
            events.forgetBell(channel);
            bell.close();
        }
    }

    private boolean destroyAll() {
        List.copyOf(bells.keySet()).forEach(this::removeBell);
        boolean all = true;
        for (ControlRequest end : objects.ends()) {
            ControlReply reply = verbs.reply(end);
            all &= reply instanceof ControlReply.Done
                    || (reply instanceof ControlReply.Refused refused && refused.status() == VerbsStatus.ENOENT);
        }
        return all;
    }
}
