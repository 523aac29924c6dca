package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.TakeNetworkCall;
import io.hyperverbs.vmm.posix.EventFd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who gets which network interface. */
class NetworkCallsTest extends CallsFixture {
    private final AtomicInteger ended = new AtomicInteger();

    private DomainNetwork network() throws IOException {
        return new DomainNetwork(
                Path.of("/proc/7/ns/net"),
                Path.of("/proc/7/net"),
                4092,
                EventFd.create().fd(),
                ended::incrementAndGet);
    }

    private static HypercallRequest.Builder take(int onBehalfOf) {
        return HypercallRequest.newBuilder()
                .setTakeNetwork(TakeNetworkCall.newBuilder().setOnBehalfOf(onBehalfOf));
    }

    @Test
    void aGuestTakesItsInterfaceOnce() throws IOException {
        guest.network = network();

        HypercallReply reply = call(guest, take(0));

        assertThat(reply.getNetwork().getMtu()).isEqualTo(4092);
        assertThat(reply.getNetwork().getLists()).isEqualTo("/proc/self/net");
        assertThat(caller.descriptors()).isOne();
        expect(guest, take(0), VerbsStatus.ENOENT);
    }

    @Test
    void aDomainWithoutAnAddressHasNone() throws IOException {
        expect(guest, take(0), VerbsStatus.ENOENT);
        expect(backend, take(0), VerbsStatus.ENOENT);
    }

    @Test
    void theDeviceDomainTakesThoseOfItsNativeDomains() throws IOException {
        nativeDomain.network = network();

        HypercallReply reply = call(backend, take(NATIVE));

        assertThat(reply.getNetwork().getLists()).isEqualTo("/proc/7/net");
        assertThat(caller.descriptors()).isOne();
    }

    @Test
    void nobodyTakesThoseOfGuests() throws IOException {
        guest.network = network();

        expect(backend, take(GUEST), VerbsStatus.EPERM);
        expect(other, take(GUEST), VerbsStatus.EPERM);
        expect(backend, take(99), VerbsStatus.EPERM);
        assertThat(call(guest, take(0)).getNetwork().getMtu()).isEqualTo(4092);
    }

    @Test
    void theEndOfADomainClosesWhatItHasNotTaken() throws IOException {
        DomainNetwork network = network();

        network.close();

        assertThat(network.take()).isNull();
        assertThat(ended).hasValue(1);
    }

    @Test
    void whereItIsIsReported() throws IOException {
        guest.network = network();

        assertThat(guest.report().network()).isEqualTo("/proc/7/ns/net");
        assertThat(other.report().network()).isEmpty();
        guest.network.close();
    }
}
