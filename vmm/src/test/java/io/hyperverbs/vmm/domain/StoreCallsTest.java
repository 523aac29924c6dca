package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.StoreReadCall;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.store.KeyValueStore;
import io.hyperverbs.vmm.store.StorePath;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Domains write below their own names, and read everything. */
class StoreCallsTest extends CallsFixture {
    private static HypercallRequest.Builder write(String key, String value, int onBehalfOf) {
        return HypercallRequest.newBuilder()
                .setStoreWrite(
                        StoreWriteCall.newBuilder().setKey(key).setValue(value).setOnBehalfOf(onBehalfOf));
    }

    private static HypercallRequest.Builder remove(String key) {
        return HypercallRequest.newBuilder()
                .setStoreWrite(StoreWriteCall.newBuilder().setKey(key).setRemove(true));
    }

    private static HypercallRequest.Builder read(String path, int waitMillis) {
        return HypercallRequest.newBuilder()
                .setStoreRead(StoreReadCall.newBuilder().setPath(path).setWaitMillis(waitMillis));
    }

    private Optional<String> value(String name, String key) {
        return machine.store().read(StorePath.of(name, key));
    }

    @Test
    void aDomainWritesBelowItsOwnName() throws IOException {
        expect(guest, write("key", "v", 0), VerbsStatus.SUCCESS);
        expect(other, write("key", "w", 0), VerbsStatus.SUCCESS);

        assertThat(value("a", "key")).contains("v");
        assertThat(value("b", "key")).contains("w");
        assertThat(call(other, read("domain/a/key", 0)).getStoreValue().getValue())
                .isEqualTo("v");
        expect(guest, remove("key"), VerbsStatus.SUCCESS);
        expect(guest, remove("key"), VerbsStatus.SUCCESS);
        assertThat(value("a", "key")).isEmpty();
        assertThat(value("b", "key")).contains("w");
    }

    @Test
    void onlyTheBackendWritesForOthersAndOnlyForNativeOnes() throws IOException {
        for (int forWhom : new int[] {OTHER, BACKEND, NATIVE, GUEST, 99, -1}) {
            expect(guest, write("key", "v", forWhom), VerbsStatus.EPERM);
            if (forWhom != NATIVE) {
                expect(backend, write("key", "v", forWhom), VerbsStatus.EPERM);
            }
        }
        for (String name : new String[] {"a", "b", "n", "backend"}) {
            assertThat(value(name, "key")).isEmpty();
        }

        expect(backend, write("key", "v", NATIVE), VerbsStatus.SUCCESS);

        assertThat(value("n", "key")).contains("v");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ä", "a\0", "x\n"})
    void keysHaveLegalCharacters(String key) throws IOException {
        expect(guest, write(key, "v", 0), VerbsStatus.EINVAL);
        expect(guest, read("domain/a/" + key, 0), VerbsStatus.EINVAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "key", "/domain/a/key", "domain/a", "domain//key", "tool/a/key"})
    void pathsNameAKeyOfADomain(String path) throws IOException {
        expect(guest, read(path, 0), VerbsStatus.EINVAL);
    }

    @Test
    void aNameFillsNoMoreThanItsShare() throws IOException {
        String all = "x".repeat(KeyValueStore.MAX_VALUE_BYTES);

        expect(guest, write("key", all + "x", 0), VerbsStatus.EAGAIN);
        expect(guest, write("key", all, 0), VerbsStatus.SUCCESS);
        expect(guest, write("other", "x", 0), VerbsStatus.EAGAIN);
        expect(other, write("other", "x", 0), VerbsStatus.SUCCESS);
        expect(guest, remove("key"), VerbsStatus.SUCCESS);
        expect(guest, write("other", "x", 0), VerbsStatus.SUCCESS);
    }

    @Test
    void whatIsNotThereIsSaidAtOnceUnlessSomebodyWaits() throws IOException {
        assertThat(call(guest, read("domain/b/key", 0)).getStoreValue().getPresent())
                .isFalse();

        DomainCalls calls = new DomainCalls(machine, guest);
        // The number is unsigned: this waits for seven weeks.
        long asked = caller.send(calls, read("domain/b/key", -1));
        assertThat(machine.store().waiters()).isOne();
        machine.store().write(StorePath.of("b", "key"), "v");
        HypercallReply reply = caller.next();

        assertThat(reply.getId()).isEqualTo(asked);
        assertThat(reply.getStoreValue().getValue()).isEqualTo("v");
        assertThat(machine.store().waiters()).isZero();
        assertThat(call(guest, read("domain/b/key", 5000)).getStoreValue().getPresent())
                .isTrue();
    }

    @Test
    void readersOfAnEndedDomainDoNotWait() throws IOException {
        machine.store().write(StorePath.of("b", "result"), "v");
        DomainCalls calls = new DomainCalls(machine, guest);
        caller.send(calls, read("domain/b/never", 1_000_000));

        machine.store().end("b");

        HypercallReply waited = caller.next();
        assertThat(waited.getMessage()).isEqualTo("b has ended and did not write it");
        expect(guest, read("domain/b/never", 1_000_000), VerbsStatus.ENOENT);
        assertThat(call(guest, read("domain/b/result", 0)).getStoreValue().getValue())
                .isEqualTo("v");
    }

    @Test
    void waitsEndByTheClockAndWithTheConnection() throws IOException {
        DomainCalls calls = new DomainCalls(machine, guest);
        caller.send(calls, read("domain/b/never", 1));
        assertThat(caller.next().getStoreValue().getPresent()).isFalse();

        caller.send(calls, read("domain/b/never", 1_000_000));
        calls.connectionLost(caller.connection());

        assertThat(caller.next().getStoreValue().getPresent()).isFalse();
        // The answer is on its way before the store has forgotten who waited for it.
        await().until(() -> machine.store().waiters() == 0);
    }
}
