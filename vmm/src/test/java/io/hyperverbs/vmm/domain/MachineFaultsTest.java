package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.NoticeQueue.Acknowledgement;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.LinkSetNotice;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MachineFaultsTest extends CallsFixture {
    private CompletableFuture<Void> carryOut(TimedFault fault) {
        return CompletableFuture.runAsync(() -> {
            try {
                new MachineFaults(machine).carryOut(fault);
            } catch (MachineException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void ofALinkToAnotherHostTheEndThatIsHereIsSet() throws Exception {
        CompletableFuture<Void> set = carryOut(new TimedFault.SetLink(0, "hv9", "hv0", "loss=1%"));
        caller.send(
                new DomainCalls(machine, backend),
                HypercallRequest.newBuilder().setNextNotice(NextNoticeCall.getDefaultInstance()));

        LinkSetNotice here = caller.next().getNotice().getLinkSet();
        backend.hca()
                .notices()
                .acknowledge(
                        1, new Acknowledgement(VerbsStatus.SUCCESS, "", SessionReportMessage.getDefaultInstance()));

        assertThat(set).succeedsWithin(Duration.ofSeconds(30));
        assertThat(List.of(here.getNeighbour(), here.getSettings())).containsExactly("hv9", "loss=1%");
    }

    @Test
    void aLinkWithNoEndHereAndADomainThatIsNotThereFail() {
        MachineFaults faults = new MachineFaults(machine);

        assertThatThrownBy(() -> faults.carryOut(new TimedFault.SetLink(0, "hv8", "hv9", "none")))
                .hasMessage("no HCA hv8 and no HCA hv9");
        assertThatThrownBy(() -> faults.carryOut(new TimedFault.Kill(0, "nobody")))
                .hasMessage("no domain nobody");
    }

    @Test
    void whoIsKilledSaysSo() throws Exception {
        MachineFaults faults = new MachineFaults(machine);
        machine.table().move(guest, DomainState.RUNNING);

        faults.carryOut(new TimedFault.Kill(0, guest.name()));
        assertThat(guest.message).isEqualTo("killed, as the topology's faults say");
        machine.table().move(guest, DomainState.DYING);
        machine.table().move(guest, DomainState.CRASHED);

        assertThatThrownBy(() -> faults.carryOut(new TimedFault.Kill(0, guest.name())))
                .hasMessage("domain " + guest.name() + " has ended already");
    }

    @Test
    void theProcessEndsWithItsHost() throws Exception {
        AtomicInteger ends = new AtomicInteger();

        new MachineFaults(machine, ends::incrementAndGet).carryOut(new TimedFault.EndHost(0, "n1"));

        assertThat(ends).hasValue(1);
    }

    @Test
    void aMachineHasOneSchedule() throws Exception {
        MachineFaults faults = new MachineFaults(machine);
        assertThat(faults.counts()).isEqualTo(FaultCounts.none());

        assertThatThrownBy(() -> faults.begin(List.of(new TimedFault.Kill(-1, "a"))))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
        faults.begin(List.of(new TimedFault.Kill(1, "nobody"), new TimedFault.Kill(Long.MAX_VALUE - 1, "later")));

        await().atMost(Duration.ofSeconds(30)).until(() -> faults.counts().done() == 1);
        assertThat(faults.counts()).isEqualTo(new FaultCounts(2, 1, 1));
        assertThatThrownBy(() -> faults.begin(List.of()))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EBUSY));
    }
}
