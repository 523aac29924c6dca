package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.EveryRequest;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A guest learns a fixed code, whatever happens inside; and who it is, its socket says alone. */
@Timeout(60)
class FixedAnswersTest extends SessionFixture {
    private static final String TOKEN = "0123456789abcdef";
    private static final String SECRET = "secret: /var/lib/backend, key 0x1234";
    private static final ControlRequest OPEN = new ControlRequest.OpenContext(DataPathKind.BYPASS);

    private ChannelServers servers;

    private DeviceServer open(RequestExecutor executor, Session of) throws IOException {
        servers = new ChannelServers(executor, (_, _) -> {}, ChannelLimits.standard());
        return servers.open(of, socket(of), 0, TOKEN);
    }

    private Path socket(Session of) {
        return state.resolve(of.name() + ".sock");
    }

    private void everyVerbThatThrowsIsInternal(LongSupplier failing) throws IOException {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        List<ControlRequest> requests = EveryRequest.on(own, 5, 6, bench.frames(session, 60, 1));
        RequestExecutor broken = new RequestExecutor(bench.services, bench.journal, failing);
        try (DeviceServer _ = open(broken, session);
                GuestStub guest = new GuestStub(socket(session), TOKEN).after(1000)) {
            for (ControlRequest request : requests) {
                StatusRuntimeException refused =
                        catchThrowableOfType(StatusRuntimeException.class, () -> guest.call(request));

                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
                assertThat(refused.getStatus().getDescription()).isNull();
                assertThat(String.valueOf(refused.getTrailers())).doesNotContain("secret");
            }
        }
        assertThat(session.rejections().of(RejectedAct.FAILED_CALL)).isEqualTo(requests.size());
    }

    @Test
    void hideAnException() throws IOException {
        everyVerbThatThrowsIsInternal(() -> {
            throw new IllegalStateException(SECRET);
        });
    }

    @Test
    void hideAnError() throws IOException {
        everyVerbThatThrowsIsInternal(() -> {
            throw new StackOverflowError(SECRET);
        });
    }

    @Test
    void nameNoDomainInAnyMessageAGuestSends() {
        List<String> told = new ArrayList<>();
        collect(ControlRequestMessage.getDescriptor(), told, new HashSet<>());
        collect(DataRequestMessage.getDescriptor(), told, new HashSet<>());

        assertThat(told)
                .hasSizeGreaterThan(100)
                .noneMatch(name -> name.matches("(.*_)?(domain|sender|session|owner|uid|pid)"));
    }

    private static void collect(Descriptor message, List<String> names, Set<String> seen) {
        if (seen.add(message.getFullName())) {
            for (FieldDescriptor field : message.getFields()) {
                names.add(field.getName());
                if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    collect(field.getMessageType(), names, seen);
                }
            }
        }
    }

    @Test
    void belongToTheSocketThatACallCameInOn() throws IOException {
        Session other = bench.session(2, Map.of());
        try (DeviceServer _ = open(bench.executor, session);
                // The same token on both sockets: it is not what tells them apart.
                DeviceServer _ = servers.open(other, socket(other), 0, TOKEN);
                GuestStub one = new GuestStub(socket(session), TOKEN);
                GuestStub two = new GuestStub(socket(other), TOKEN)) {
            ControlReply.ContextOpened opened = one.done(OPEN, ControlReply.ContextOpened.class);

            ControlReply fromTheOther = two.call(new ControlRequest.AllocatePd(opened.context()));

            assertThat(fromTheOther).isInstanceOf(ControlReply.Refused.class);
            assertThat(session.contexts().objects()).hasSize(1);
            assertThat(other.contexts().objects()).isEmpty();
        }
    }

    @Test
    void closeTheConnectionOfAWrongToken() throws IOException {
        try (DeviceServer _ = open(bench.executor, session);
                GuestStub honest = new GuestStub(socket(session), TOKEN);
                GuestStub liar = new GuestStub(socket(session), "another domain's")) {
            ControlReply first = honest.call(1, OPEN);

            StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, () -> liar.call(OPEN));

            assertThat(refused.getStatus().getCode()).isIn(Status.Code.PERMISSION_DENIED, Status.Code.UNAVAILABLE);
            assertThat(session.rejections().of(RejectedAct.WRONG_TOKEN)).isPositive();
            // Its driver connects again, and goes on where it was.
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(honest.call(1, OPEN)).isEqualTo(first));
        }
    }

    @Test
    void refuseMethodsThatThereAreNot() throws IOException {
        try (DeviceServer _ = open(bench.executor, session);
                GuestStub guest = new GuestStub(socket(session), TOKEN)) {
            for (byte[] nonsense : Nonsense.messages()) {
                Status status = guest.raw(DeviceChannelGrpc.getCallMethod(), nonsense);

                assertThat(status.getCode()).isNotEqualTo(Status.Code.OK);
                assertThat(String.valueOf(status.getDescription()))
                        .doesNotContain("io.hyperverbs.backend", "java.", "\tat ");
            }
            assertThat(guest.call(OPEN)).isInstanceOf(ControlReply.ContextOpened.class);
        }
    }
}
