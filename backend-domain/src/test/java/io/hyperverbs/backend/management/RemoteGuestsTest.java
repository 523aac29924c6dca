package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guests of another HCA are found by name and GID, and are called by their own GIDs. */
class RemoteGuestsTest extends WiredPair {
    private static final Destination CALLEE = Destination.guest("d2");

    private static Gid farGid(int domain) {
        return guestOf(FAR_LID, domain);
    }

    private VerbsStatus refusedPath(Destination to) {
        return caller.refusal(new ManagementRequest.QueryPath(caller.objects().context(), to));
    }

    private void pending(Destination to) {
        assertThat(caller.reply(new ManagementRequest.QueryPath(caller.objects().context(), to), ManagementReply.class))
                .isInstanceOf(ManagementReply.Pending.class);
    }

    @Test
    void aGuestIsFoundByName() {
        PathRecord path = path(caller, CALLEE);

        assertThat(path.sourceGid()).isEqualTo(Gid.ofIpv4(NEAR));
        assertThat(path.destinationGid()).isEqualTo(Gid.ofIpv4(FAR));
        assertThat(path.destinationLid()).isEqualTo(FAR_LID);
        assertThat(path.mtuBytes()).isEqualTo(2048);
        ManagementReply.Resolved resolved =
                caller.reply(new ManagementRequest.Resolve(caller.channel(), CALLEE), ManagementReply.Resolved.class);
        assertThat(resolved.guest()).isEqualTo("d2");
        assertThat(resolved.path()).isEqualTo(path);
    }

    @Test
    void aGuestIsFoundByGid() {
        PathRecord path = path(caller, Destination.gid(farGid(2)));

        assertThat(path.destinationGid()).isEqualTo(Gid.ofIpv4(FAR));
    }

    @Test
    void guestsWhoConnectByNameKnowEachOthers() {
        var _ = path(caller, CALLEE);
        long out = resolve(CALLEE);
        caller.done(connect(caller, out, "hello"));
        settle();
        CmNotice request = callee.next(CmEvent.Type.CONNECT_REQUEST);
        callee.done(callee.accept(request.connection()));
        settle();
        CmNotice response = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        caller.done(CmEnd.answer(out, Kind.RTU));
        settle();
        var _ = callee.next(CmEvent.Type.ESTABLISHED);

        assertThat(request.guest()).isEqualTo("d1");
        assertThat(request.data().text()).startsWith("hello");
        assertThat(response.guest()).isEqualTo("d2");
        assertThat(response.gid()).isEqualTo(farGid(2));
        assertThat(near.management.ids(caller.session(), 0, 9))
                .singleElement()
                .satisfies(id -> assertThat(id.toString()).contains("d2"));
    }

    @Test
    void aCallFromAnotherPartitionDoesNotFindAGuest() {
        CmEnd stranger = CmEnd.open(near, 3, Map.of("pkeys", "0x8001"));
        CmEnd member = CmEnd.open(far, 4, Map.of("pkeys", "0xffff"));
        var _ = member.listen();
        callee.done(new ManagementRequest.Release(listener));
        var _ = path(stranger, Destination.guest("d4"));

        assertThat(rejection(stranger, Destination.guest("d4"))).isEqualTo(RejectReason.INVALID_GID);
        assertThat(rejection(stranger, farHca())).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertThat(member.take()).isEmpty();
    }

    private RejectReason rejection(CmEnd from, Destination to) {
        long out = from.reply(new ManagementRequest.Resolve(from.channel(), to), ManagementReply.Resolved.class)
                .connection();
        from.done(from.connect(out));
        settle();
        return from.next(CmEvent.Type.REJECTED).reject();
    }

    @Test
    void servicesOfDatagramsAreNotResolvedThere() {
        var _ = path(caller, CALLEE);
        long out = resolve(CALLEE);

        assertThat(caller.refusal(new ManagementRequest.Connect(
                        out, CmEnd.SERVICE, CmOffer.ofDatagrams(0, 0), 1_000_000, PrivateData.none())))
                .isEqualTo(VerbsStatus.ENOSYS);
    }

    @Test
    void whoIsNowhereIsNotFound() {
        pending(Destination.guest("nobody"));
        settle();

        assertThat(refusedPath(Destination.guest("nobody"))).isEqualTo(VerbsStatus.ENOENT);
    }

    @Test
    void aGidThatNoGuestHasIsNotFound() {
        pending(Destination.gid(farGid(77)));
        settle();

        assertThat(refusedPath(Destination.gid(farGid(77)))).isEqualTo(VerbsStatus.ENOENT);
    }

    @Test
    void nobodyIsCalledAtTheOwnHcaOrWithoutAWire() {
        Destination self = Destination.gid(Gid.ofIpv4(NEAR));
        assertThat(caller.refusal(new ManagementRequest.Resolve(caller.channel(), self)))
                .isEqualTo(VerbsStatus.ENOENT);
        for (Destination none : List.of(Destination.lid(FAR_LID), Destination.gid(new Gid(0, 0)))) {
            assertThat(caller.refusal(new ManagementRequest.Resolve(caller.channel(), none)))
                    .isEqualTo(VerbsStatus.EINVAL);
        }
        try (ExecutorBench alone = new ExecutorBench(state.resolve("alone"))) {
            CmEnd lonely = CmEnd.open(alone, 1);
            assertThat(lonely.refusal(new ManagementRequest.Resolve(lonely.channel(), farHca())))
                    .isEqualTo(VerbsStatus.ENOENT);
        }
    }

    @Test
    void aNameThatNoGuestCanHaveIsAskedOfNobody() {
        assertThat(refusedPath(Destination.guest("No Guest"))).isEqualTo(VerbsStatus.ENOENT);
        assertThat(refusedPath(Destination.gid(new Gid(1, 2)))).isEqualTo(VerbsStatus.ENOENT);
    }

    @Test
    void silenceIsNotWaitedForLongerThanTheAsksTake() {
        nearGsi.loses = _ -> true;
        ManagementRequest query =
                new ManagementRequest.QueryPath(caller.objects().context(), CALLEE);
        pending(CALLEE);
        for (int asked = 0; asked < 100 && !(ask(caller, query) instanceof ControlReply.Refused); asked++) {
            pass(50);
        }

        assertThat(caller.refused(query).toString()).contains("1 other HCAs do not answer");
    }

    @Test
    void whoAsksForTooManyHasToWait() {
        nearGsi.loses = _ -> true;
        for (int i = 0; i < 4; i++) {
            pending(Destination.guest("g" + i));
        }

        assertThat(refusedPath(Destination.guest("g9"))).isEqualTo(VerbsStatus.EAGAIN);
    }

    @Test
    void aResolveThatMustAskIsRefusedUntilItIsAnswered() {
        assertThat(caller.refusal(new ManagementRequest.Resolve(caller.channel(), CALLEE)))
                .isEqualTo(VerbsStatus.ENOENT);
        settle();

        assertThat(resolve(CALLEE)).isPositive();
    }

    @Test
    void aGuestThatIsGoneIsRejectedByItsGid() {
        var _ = path(caller, CALLEE);
        callee.die();
        caller.done(connect(caller, resolve(CALLEE), "x"));
        settle();

        assertThat(caller.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.INVALID_GID);
    }

    @Test
    void aCallerThatIsNotItsHcasIsRejected() {
        var _ = path(caller, CALLEE);
        long out = resolve(CALLEE);
        nearGsi.loses = is(CmMessage.REQ);
        caller.done(connect(caller, out, "x"));
        settle();
        nearGsi.loses = _ -> false;
        for (Gid liar : List.of(farGid(7), Gid.ofIpv4(STRANGER), new Gid(1, 2))) {
            for (int address : List.of(NEAR, 0)) {
                byte[] req = last(nearGsi, CmMessage.REQ);
                ReqLayout.PRIMARY_LOCAL_GID.set(req, liar);
                ReqLayout.LOCAL_COMM_ID.set(req, 77);
                farGsi.arrive(req, address);
                settle();
            }
        }

        assertThat(callee.take()).isEmpty();
        assertThat(count(farGsi, CmMessage.REJ)).isEqualTo(6);
    }

    @Test
    void pathsByLidAreThoseOfPortsThatWiresLeadTo() {
        assertThat(refusedPath(Destination.lid(99))).isEqualTo(VerbsStatus.ENOENT);
    }
}
