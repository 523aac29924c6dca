package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.CaptureStartNotice;
import io.hyperverbs.vmm.hypercall.wire.DomainAddedNotice;
import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.memory.DomainPins;
import io.hyperverbs.vmm.memory.MachineMapping;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Turns notices into records, and keeps what came with them until the domain is gone. */
final class NoticeReader {
    /** What this process has of another domain. */
    private record Neighbour(
            List<MappedExtent> ram,
            DomainPins pins,
            @Nullable EventFd doorbell,
            @Nullable EventFd event) {}

    private final MachineMapping machine;
    private final Map<Integer, Neighbour> neighbours = new ConcurrentHashMap<>();

    NoticeReader(MachineMapping machine) {
        this.machine = machine;
    }

    DomainNotice read(HypercallChannel.Answer answer) throws HypercallException {
        NoticeReply notice = answer.reply().getNotice();
        if (notice.hasRemoved()) {
            return new DomainNotice.Removed(
                    notice.getNotice(), notice.getRemoved().getDomain());
        }
        if (notice.hasPortSet()) {
            return new DomainNotice.PortSet(
                    notice.getNotice(),
                    notice.getPortSet().getPort(),
                    notice.getPortSet().getUp());
        }
        if (notice.hasLinkSet()) {
            return new DomainNotice.LinkSet(
                    notice.getNotice(),
                    notice.getLinkSet().getNeighbour(),
                    notice.getLinkSet().getSettings());
        }
        if (notice.hasCaptureStart()) {
            CaptureStartNotice start = notice.getCaptureStart();
            return new DomainNotice.CaptureStarted(
                    notice.getNotice(),
                    start.getPorts(),
                    start.getVerbs(),
                    start.getSnapBytes(),
                    CaptureRings.map(start, answer.descriptors()));
        }
        if (notice.hasCaptureStop()) {
            return new DomainNotice.CaptureStopped(notice.getNotice());
        }
        if (notice.hasSessionAsked()) {
            return new DomainNotice.SessionAsked(
                    notice.getNotice(),
                    notice.getSessionAsked().getDomain(),
                    notice.getSessionAsked().getAfter());
        }
        DomainAddedNotice added = notice.getAdded();
        Neighbour neighbour;
        try {
            neighbour = keep(added, answer.descriptors());
        } catch (PosixException e) {
            answer.descriptors().forEach(Fd::close);
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        }
        return new DomainNotice.Added(
                notice.getNotice(),
                added.getDomain(),
                added.getName(),
                added.getNative(),
                added.getFolder(),
                added.getUid(),
                HexFormat.of().formatHex(added.getToken().toByteArray()),
                neighbour.ram(),
                neighbour.doorbell() == null ? -1 : neighbour.doorbell().fd().number(),
                Map.copyOf(added.getSettingsMap()),
                added.getMainClass(),
                List.copyOf(added.getArgsList()),
                List.copyOf(added.getClassPathList()),
                added.getLogFile());
    }

    private Neighbour keep(DomainAddedNotice added, List<Fd> descriptors) throws PosixException {
        int events = added.getNative() ? 0 : 2;
        int extents = added.getRamCount();
        if (descriptors.size() != 2 * extents + events) {
            throw new PosixException("memory of " + added.getName(), Errno.EMFILE);
        }
        DomainPins pins = new DomainPins();
        List<MappedExtent> ram = new ArrayList<>();
        boolean mapped = false;
        try {
            for (int i = 0; i < extents; i++) {
                // The mappings keep the memory; the descriptors are of no more use.
                try (Fd memfd = descriptors.get(i);
                        Fd pinned = descriptors.get(extents + events + i)) {
                    ram.add(map(added.getRam(i), memfd, pins, pinned));
                }
            }
            mapped = true;
        } finally {
            if (!mapped) {
                pins.close();
            }
        }
        Neighbour neighbour = new Neighbour(
                List.copyOf(ram),
                pins,
                added.getNative() ? null : EventFd.of(descriptors.get(extents)),
                added.getNative() ? null : EventFd.of(descriptors.get(extents + 1)));
        neighbours.put(added.getDomain(), neighbour);
        return neighbour;
    }

    private MappedExtent map(ExtentMessage extent, Fd memfd, DomainPins pins, Fd pinned) throws PosixException {
        long first = extent.getFirstMachineFrame();
        pins.add(first, Math.toIntExact(extent.getFrames()), pinned);
        return machine.add(first, extent.getFrames(), WireExtents.kind(extent.getKind()), memfd);
    }

    /** What is pinned of a domain's memory; null if it is none of this HCA. */
    @Nullable
    DomainPins pinsOf(int domain) {
        Neighbour neighbour = neighbours.get(domain);
        return neighbour == null ? null : neighbour.pins();
    }

    /** What posted events to a domain are announced by; null for a native domain. */
    @Nullable
    EventFd eventOf(int domain) {
        Neighbour neighbour = neighbours.get(domain);
        return neighbour == null ? null : neighbour.event();
    }

    /** Turns a domain's memory into zeroes, and closes its eventfds; all or nothing. */
    void forget(int domain) throws HypercallException {
        Neighbour neighbour = neighbours.get(domain);
        if (neighbour == null) {
            return;
        }
        try {
            for (MappedExtent extent : neighbour.ram()) {
                machine.remove(extent);
            }
        } catch (PosixException e) {
            // Kept until it can be unmapped: the frames must not be another domain's before.
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        }
        neighbours.remove(domain);
        neighbour.pins().close();
        if (neighbour.doorbell() != null) {
            neighbour.doorbell().close();
        }
        if (neighbour.event() != null) {
            neighbour.event().close();
        }
    }
}
