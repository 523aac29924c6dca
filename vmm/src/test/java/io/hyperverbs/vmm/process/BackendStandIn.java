package io.hyperverbs.vmm.process;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRingWriter;
import io.hyperverbs.vmm.hypercall.BackendHypercallClient;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A backend domain without an HCA: it grants each guest a page, and tells what it sees at the start
 * of a guest's memory once the guest has asked it to look.
 */
public final class BackendStandIn {
    static final long CONTEXT_PATTERN = 0x1122334455667788L;

    private final BackendHypercallClient vmm;
    private final Map<Integer, MappedExtent> pages = new HashMap<>();
    private final Map<Integer, Long> grants = new HashMap<>();

    private BackendStandIn(BackendHypercallClient vmm) {
        this.vmm = vmm;
    }

    public static void main(String... args) throws Exception {
        DomainArguments arguments = DomainArguments.parse(args);
        String token = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII).strip();
        BackendHypercallClient vmm =
                BackendHypercallClient.connect(Path.of(arguments.folder(), "hypercall.sock"), token);
        MappedExtent context = vmm.allocateFrames(FrameKind.CONTEXT, 4);
        context.memory().set(JAVA_LONG, 8, CONTEXT_PATTERN);
        vmm.ready();
        System.out.println("environment " + System.getenv().keySet());
        new BackendStandIn(vmm).serve();
    }

    private void serve() throws HypercallException {
        while (true) {
            switch (vmm.nextNotice()) {
                case DomainNotice.Added added -> add(added);
                case DomainNotice.Removed removed -> remove(removed);
                case DomainNotice.PortSet set ->
                    vmm.acknowledge(
                            set,
                            set.port() == 1 ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL,
                            "port " + set.port() + (set.up() ? " up" : " down"));
                case DomainNotice.LinkSet set ->
                    vmm.acknowledge(
                            set,
                            set.settings().equals("loss=" + set.neighbour()) ? VerbsStatus.EINVAL : VerbsStatus.SUCCESS,
                            set.settings());
                case DomainNotice.CaptureStarted started -> capture(started);
                case DomainNotice.CaptureStopped stopped -> vmm.acknowledge(stopped, VerbsStatus.SUCCESS, "");
                case DomainNotice.SessionAsked asked -> report(asked);
            }
        }
    }

    /** Captures its own settings. */
    private void capture(DomainNotice.CaptureStarted started) throws HypercallException {
        CaptureRingWriter ring = started.rings().packets();
        long at = ring.begin(CaptureRecordLayout.PACKET, 0);
        CaptureRecordLayout.set(ring.memory(), at, CaptureRecordLayout.Field.PORT, started.ports());
        CaptureRecordLayout.set(ring.memory(), at, CaptureRecordLayout.Field.LENGTH_BYTES, started.snapBytes());
        ring.end();
        started.rings().close();
        vmm.acknowledge(started, VerbsStatus.SUCCESS, "");
    }

    /** Says what it was asked, as far as there is a domain. */
    private void report(DomainNotice.SessionAsked asked) throws HypercallException {
        if (!pages.containsKey(asked.domain())) {
            vmm.acknowledge(asked, VerbsStatus.ENOENT, "no session");
            return;
        }
        vmm.report(
                asked,
                new SessionReport(
                        List.of(new SessionReport.QuotaUse("qp", asked.domain())),
                        List.of(
                                new SessionReport.CmId(asked.after() + 1, "LISTEN", true, 0, 0, "::1", 7, null),
                                new SessionReport.CmId(
                                        asked.after() + 2,
                                        "ESTABLISHED",
                                        false,
                                        3,
                                        4,
                                        "::1",
                                        0,
                                        new SessionReport.Peer("b", "::2"))),
                        true,
                        List.of(new SessionReport.Rejection("rejected_verb", 5)),
                        new SessionReport.Calls(8, 9)));
    }

    private void add(DomainNotice.Added added) throws HypercallException {
        if (added.settings().containsKey("refuse")) {
            vmm.acknowledge(added, VerbsStatus.EAGAIN, "refused by setting");
            return;
        }
        if (added.nativeDomain()) {
            vmm.storeWriteFor(
                    added.domain(), "frames", "" + added.ram().getFirst().frames());
        } else {
            MappedExtent page = vmm.allocateFrames(FrameKind.UAR, 1);
            page.memory().set(JAVA_LONG, 0, added.domain());
            long grant = vmm.grant(page, added.domain(), added.settings().containsKey("readOnly"));
            pages.put(added.domain(), page);
            grants.put(added.domain(), grant);
            vmm.storeWrite("grant-" + added.name(), Long.toString(grant));
            Thread.ofPlatform().daemon().start(() -> look(added));
        }
        vmm.acknowledge(added, VerbsStatus.SUCCESS, "");
        if (added.settings().containsKey("nativeExit")) {
            vmm.nativeExited(added.domain(), Integer.parseInt(added.settings().get("nativeExit")));
        }
    }

    private void look(DomainNotice.Added added) {
        try {
            String path = "domain/" + added.name() + "/look";
            if (vmm.storeRead(path, Duration.ofMinutes(1)).isPresent()) {
                long first = added.ram().getFirst().firstMachineFrame() * 4096;
                long seen = vmm.machineMemory().get(JAVA_LONG, first);
                vmm.storeWrite("seen-" + added.name(), Long.toString(seen));
            }
        } catch (HypercallException e) {
            System.out.println(e.getMessage());
        }
    }

    private void remove(DomainNotice.Removed removed) throws HypercallException {
        MappedExtent page = pages.remove(removed.domain());
        if (page != null) {
            vmm.revokeGrant(grants.remove(removed.domain()));
            vmm.freeFrames(page);
        }
        vmm.acknowledge(removed, VerbsStatus.SUCCESS, "");
    }
}
