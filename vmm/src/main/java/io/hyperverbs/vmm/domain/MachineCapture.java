package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.capture.CaptureRingReader;
import io.hyperverbs.vmm.hypercall.wire.CaptureStartNotice;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A capture of what passes one HCA: its device domain writes to two rings of the VMM's, of packets and of verbs, until
 * this is closed. One thread.
 */
public final class MachineCapture implements AutoCloseable {
    /** Room for verbs that were not fetched yet. */
    private static final long VERB_RING_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(MachineCapture.class);
    private static final long MIN_RING_BYTES = 1 << 14;
    private static final long MAX_RING_BYTES = 1 << 30;

    private final DomainTable table;
    private final HcaRecord hca;
    private final CaptureRingReader packets;
    private final CaptureRingReader verbs;

    /**
     * What is captured.
     *
     * @param ports bit n for port n, from 1
     * @param verbs control verbs, too
     * @param snapBytes the most that is taken of a packet
     * @param ringBytes room for packets that were not fetched yet: a power of two from 16 KiB to 1 GiB
     */
    public record Settings(int ports, boolean verbs, int snapBytes, long ringBytes) {}

    private MachineCapture(DomainTable table, HcaRecord hca, CaptureRingReader packets, CaptureRingReader verbs) {
        this.table = table;
        this.hca = hca;
        this.packets = packets;
        this.verbs = verbs;
    }

    /**
     * Begins one; returns when the device domain captures.
     *
     * @throws MachineException EINVAL: settings that are none; EBUSY: the HCA has a capture; ENOMEM; what the device
     *     domain says
     */
    static MachineCapture start(DomainTable table, HcaRecord hca, Settings settings) throws MachineException {
        long bytes = settings.ringBytes();
        if (bytes < MIN_RING_BYTES || bytes > MAX_RING_BYTES || Long.bitCount(bytes) != 1 || settings.snapBytes() < 0) {
            throw new MachineException(
                    VerbsStatus.EINVAL,
                    "a ring of " + bytes + " bytes for packets of " + settings.snapBytes() + "; a power of two from "
                            + MIN_RING_BYTES + " to " + MAX_RING_BYTES);
        }
        if (!hca.beginCapture()) {
            throw new MachineException(VerbsStatus.EBUSY, "HCA " + hca.name() + " is being captured already");
        }
        boolean begun = false;
        try {
            MachineCapture capture = rings(table, hca, bytes);
            begun = true;
            capture.begin(settings);
            return capture;
        } catch (PosixException e) {
            throw new MachineException(VerbsStatus.ENOMEM, "no room for a capture: " + e.getMessage());
        } finally {
            if (!begun) {
                hca.endCapture();
            }
        }
    }

    private static MachineCapture rings(DomainTable table, HcaRecord hca, long ringBytes) throws PosixException {
        CaptureRingReader packets = CaptureRingReader.create(ringBytes);
        try {
            return new MachineCapture(table, hca, packets, CaptureRingReader.create(VERB_RING_BYTES));
        } catch (PosixException | RuntimeException e) {
            packets.close();
            throw e;
        }
    }

    private void begin(Settings settings) throws MachineException, PosixException {
        boolean isOn = false;
        try {
            CaptureStartNotice start = CaptureStartNotice.newBuilder()
                    .setPorts(settings.ports())
                    .setVerbs(settings.verbs())
                    .setSnapBytes(settings.snapBytes())
                    .setPacketRingBytes(packets.sizeBytes())
                    .setVerbRingBytes(verbs.sizeBytes())
                    .build();
            hca.questions().startCapture(start, descriptors());
            LOG.info("capture of HCA {} is on: {}", hca.name(), settings);
            isOn = true;
        } finally {
            if (!isOn) {
                close();
            }
        }
    }

    private List<Fd> descriptors() throws PosixException {
        Fd first = packets.descriptor();
        try {
            return List.of(first, verbs.descriptor());
        } catch (PosixException e) {
            first.close();
            throw e;
        }
    }

    /** The ring of packets. */
    public CaptureRingReader packets() {
        return packets;
    }

    /** The ring of verbs. */
    public CaptureRingReader verbs() {
        return verbs;
    }

    /** Whether nothing more will come: the device domain has ended. */
    public boolean isOver() {
        DomainRecord domain = hca.deviceDomain();
        return domain == null || table.stateOf(domain).ended();
    }

    /** Ends it: the device domain writes no more, and the rings are gone. */
    @Override
    public void close() {
        try {
            hca.questions().stopCapture();
        } catch (MachineException e) {
            // A device domain that is gone writes nothing; to one that is silent the rings stay mapped.
            LOG.info("capture of HCA {}: {}", hca.name(), e.getMessage());
        } finally {
            LOG.info("capture of HCA {} is off", hca.name());
            packets.close();
            verbs.close();
            hca.endCapture();
        }
    }
}
