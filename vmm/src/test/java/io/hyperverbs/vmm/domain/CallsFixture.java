package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.DirectCaller;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A machine of four domains without processes, and one end of each one's hypercalls. */
abstract class CallsFixture {
    static final int BACKEND = 1;
    static final int GUEST = 2;
    static final int OTHER = 3;
    static final int NATIVE = 4;

    @TempDir
    Path folder;

    Machine machine;
    DomainRecord backend;
    DomainRecord guest;
    DomainRecord other;
    DomainRecord nativeDomain;
    DirectCaller caller;

    @BeforeEach
    void setUp() throws IOException, MachineException {
        machine = new Machine(folder, null, () -> {});
        backend = add(BACKEND, "backend", DomainKind.BACKEND);
        guest = add(GUEST, "a", DomainKind.GUEST);
        other = add(OTHER, "b", DomainKind.GUEST);
        nativeDomain = add(NATIVE, "n", DomainKind.NATIVE);
        guest.ram = machine.frames().allocate(GUEST, FrameKind.RAM, 4);
        other.ram = machine.frames().allocate(OTHER, FrameKind.RAM, 4);
        List.of(backend, guest, other, nativeDomain).forEach(domain -> domain.admitted.complete(null));
        caller = new DirectCaller(folder);
    }

    @AfterEach
    void tearDown() throws IOException {
        caller.close();
        for (int domain = BACKEND; domain <= NATIVE; domain++) {
            machine.frames().freeAll(domain);
        }
    }

    private DomainRecord add(int id, String name, DomainKind kind) throws MachineException {
        return add(id, name, kind, "hv0");
    }

    /** A domain in STARTING; a device domain brings its HCA. */
    DomainRecord add(int id, String name, DomainKind kind, String hcaName) throws MachineException {
        HcaRecord hca = kind == DomainKind.BACKEND
                ? machine.hcas().add(hcaName)
                : machine.hcas().find(hcaName);
        DomainSpec spec = new DomainSpec(
                name, kind, 16384, List.of(), Optional.empty(), List.of(), "", List.of(), Map.of("weight", "3"));
        DomainRecord domain = new DomainRecord(id, spec, hca, new DomainFolder(folder, folder), 0, new byte[] {7}, 0);
        machine.table().add(domain);
        if (kind == DomainKind.BACKEND) {
            hca.ownedBy(domain);
        }
        return domain;
    }

    Extent frames(int owner, FrameKind kind, int count) {
        return machine.frames().allocate(owner, kind, count);
    }

    HypercallReply call(DomainRecord domain, HypercallRequest.Builder request) throws IOException {
        return caller.call(new DomainCalls(machine, domain), request);
    }

    void expect(DomainRecord domain, HypercallRequest.Builder request, VerbsStatus status) throws IOException {
        HypercallReply reply = call(domain, request);

        assertThat(VerbsStatus.of(reply.getStatus())).as("%s", reply).isEqualTo(status);
        if (status != VerbsStatus.SUCCESS) {
            assertThat(reply.getMessage()).isNotEmpty();
            assertThat(caller.descriptors()).isZero();
        }
    }
}
