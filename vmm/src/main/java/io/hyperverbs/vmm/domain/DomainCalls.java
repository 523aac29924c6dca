package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.BackendHypercallClient;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.HypercallService;
import io.hyperverbs.vmm.hypercall.SynchronousPort;
import io.hyperverbs.vmm.hypercall.WireExtents;
import io.hyperverbs.vmm.hypercall.wire.BootReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.MapGrantCall;
import io.hyperverbs.vmm.hypercall.wire.MappedReply;
import io.hyperverbs.vmm.hypercall.wire.NetworkReply;
import io.hyperverbs.vmm.hypercall.wire.TakeNetworkCall;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what any domain may ask; what only the backend may is {@link BackendCalls}'s. */
final class DomainCalls implements HypercallService {
    private static final Logger LOG = LoggerFactory.getLogger(DomainCalls.class);

    private final Machine machine;
    private final DomainRecord domain;
    private final StoreCalls store;
    private final BackendCalls backend;

    DomainCalls(Machine machine, DomainRecord domain) {
        this.machine = machine;
        this.domain = domain;
        this.store = new StoreCalls(machine, domain);
        this.backend = new BackendCalls(machine, domain);
    }

    @Override
    public void serve(HypercallRequest request, HypercallConnection caller) {
        serve(request.getId(), caller, () -> serveCall(request, caller));
    }

    private void serveCall(HypercallRequest request, HypercallConnection caller) throws PosixException {
        long id = request.getId();
        switch (request.getCallCase()) {
            case HELLO -> hello(id, caller);
            case READY -> {
                GuestCores.confine(domain);
                domain.readyMillis = System.currentTimeMillis();
                domain.ready.complete(null);
                caller.done(id);
            }
            case MAP_GRANT -> mapGrant(id, request.getMapGrant(), caller);
            case STORE_WRITE -> store.write(id, request.getStoreWrite(), caller);
            case STORE_READ -> store.read(id, request.getStoreRead(), caller);
            case TAKE_NETWORK -> takeNetwork(id, request.getTakeNetwork(), caller);
            case ALLOCATE_FRAMES,
                    FREE_FRAMES,
                    GRANT,
                    REVOKE_GRANT,
                    NEXT_NOTICE,
                    ACKNOWLEDGE_NOTICE,
                    NATIVE_EXITED,
                    FIND_DOMAIN -> backendOnly(id, request, caller);
            case CALL_NOT_SET -> throw new ProtocolViolation("request without a call");
        }
    }

    private interface Call {
        void run() throws PosixException;
    }

    /** Whatever fails, the caller gets an answer. */
    private void serve(long id, HypercallConnection caller, Call call) {
        try {
            call.run();
        } catch (PosixException e) {
            // Descriptors or memory of this computer ran out; what exactly is not the guest's.
            caller.refuse(id, VerbsStatus.ENOMEM, "out of memory or descriptors");
        } catch (ProtocolViolation e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("a hypercall of {} failed", domain.name(), e);
            caller.refuse(id, FailureStatus.of(e), "failed in the VMM");
        }
    }

    private void backendOnly(long id, HypercallRequest request, HypercallConnection caller) throws PosixException {
        if (domain.kind() != DomainKind.BACKEND) {
            caller.refuse(id, VerbsStatus.EPERM, "not the backend domain");
            return;
        }
        backend.serve(request, caller);
    }

    /** Its JVM starts while the backend maps its memory; the answer to its greeting waits for that. */
    private void hello(long id, HypercallConnection caller) {
        domain.pid = caller.peer().pid();
        var _ = domain.admitted.thenRun(() -> serve(id, caller, () -> boot(id, caller)));
    }

    private void boot(long id, HypercallConnection caller) throws PosixException {
        domain.connectedMillis = System.currentTimeMillis();
        BootReply.Builder boot = BootReply.newBuilder()
                .setDomain(domain.id())
                .setName(domain.name())
                .putAllSettings(domain.spec().settings());
        if (domain.kind() == DomainKind.BACKEND) {
            boot.putSettings(
                    BackendHypercallClient.MACHINE_FRAMES,
                    Long.toString(machine.frames().machineFrames()));
        }
        Extent ram = domain.ram;
        if (ram != null) {
            boot.addRam(WireExtents.of(ram));
        }
        domain.executables.forEach(extent -> boot.addExecutables(WireExtents.of(extent)));
        List<Fd> descriptors = descriptors(machine, domain, false);
        if (domain.kind() == DomainKind.BACKEND) {
            SynchronousPort.Opened opened = SynchronousPort.open(domain.name(), this);
            domain.synchronousPort = opened.port();
            descriptors.add(opened.domainEnd());
        }
        Fd verbsLog = domain.verbsLog;
        if (verbsLog != null) {
            // The guest's alone from here: its log ends with it. There is one greeting.
            domain.verbsLog = null;
            descriptors.add(verbsLog);
        }
        caller.reply(HypercallReply.newBuilder().setId(id).setBoot(boot), descriptors);
    }

    /**
     * A domain's memory, then its eventfds, for a message.
     *
     * @param withPins then also what the pins of its memory are in, for its device domain
     */
    static List<Fd> descriptors(Machine machine, DomainRecord domain, boolean withPins) throws PosixException {
        List<Fd> descriptors = new ArrayList<>();
        try {
            for (Extent extent : domain.memory()) {
                addIfThere(descriptors, machine.frames().duplicateMemfd(extent));
            }
            EventFd doorbell = domain.doorbell;
            EventFd event = domain.event;
            if (doorbell != null && event != null) {
                descriptors.add(doorbell.fd().duplicate());
                descriptors.add(event.fd().duplicate());
            }
            if (withPins) {
                for (Extent extent : domain.memory()) {
                    addIfThere(descriptors, machine.frames().duplicatePins(extent));
                }
            }
            return descriptors;
        } catch (PosixException | RuntimeException | Error e) {
            descriptors.forEach(Fd::close);
            throw e;
        }
    }

    /** An extent that was freed meanwhile has none; who reads them misses it. */
    private static void addIfThere(List<Fd> descriptors, @Nullable Fd descriptor) {
        if (descriptor != null) {
            descriptors.add(descriptor);
        }
    }

    private void mapGrant(long id, MapGrantCall call, HypercallConnection caller) throws PosixException {
        Grant grant = machine.grants().find(domain.id(), call.getReference());
        Fd memfd = grant == null ? null : machine.frames().duplicateMemfd(grant.extent());
        if (grant == null || memfd == null) {
            caller.refuse(id, VerbsStatus.ENOENT, "no such grant");
            return;
        }
        MappedReply.Builder mapped = MappedReply.newBuilder()
                .setExtent(WireExtents.of(grant.extent()))
                .setReadOnly(grant.readOnly());
        caller.reply(HypercallReply.newBuilder().setId(id).setMapped(mapped), List.of(memfd));
    }

    private void takeNetwork(long id, TakeNetworkCall call, HypercallConnection caller) {
        DomainRecord owner = call.getOnBehalfOf() == 0 ? domain : domain.hosted(machine.table(), call.getOnBehalfOf());
        if (owner == null) {
            caller.refuse(id, VerbsStatus.EPERM, "may take its own interface only");
            return;
        }
        DomainNetwork network = owner.network;
        Fd descriptor = network == null ? null : network.take();
        if (network == null || descriptor == null) {
            caller.refuse(id, VerbsStatus.ENOENT, "no interface");
            return;
        }
        // A guest has a view of its own of the kernel's lists, and sees no process but its own.
        String lists = owner.kind() == DomainKind.GUEST
                ? "/proc/self/net"
                : network.lists().toString();
        NetworkReply.Builder reply =
                NetworkReply.newBuilder().setMtu(network.mtuBytes()).setLists(lists);
        caller.reply(HypercallReply.newBuilder().setId(id).setNetwork(reply), List.of(descriptor));
    }

    @Override
    public void failed(Throwable failure) {
        machine.hypercallsFailed(domain, failure);
    }

    @Override
    public void connectionLost(HypercallConnection caller) {
        store.cancelWaits();
        SynchronousPort synchronous = domain.synchronousPort;
        if (synchronous != null) {
            synchronous.close();
        }
        if (domain.kind() == DomainKind.BACKEND) {
            HcaTable.connectionLost(domain);
        }
    }
}
