package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.StoreReadCall;
import io.hyperverbs.vmm.hypercall.wire.StoreValueReply;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.store.KeyValueStore;
import io.hyperverbs.vmm.store.StorePath;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A domain's calls to the store: it writes below its own name, and reads everything. */
final class StoreCalls {
    private final Machine machine;
    private final DomainRecord domain;
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

    /** A read that waits; compared by identity. */
    private static final class Wait {
        final CompletableFuture<String> value;

        Wait(CompletableFuture<String> value) {
            this.value = value;
        }
    }

    StoreCalls(Machine machine, DomainRecord domain) {
        this.machine = machine;
        this.domain = domain;
    }

    void write(long id, StoreWriteCall call, HypercallConnection caller) {
        DomainRecord writer = domain;
        if (call.getOnBehalfOf() != 0) {
            DomainRecord other = domain.hosted(machine.table(), call.getOnBehalfOf());
            if (other == null) {
                caller.refuse(id, VerbsStatus.EPERM, "may write below its own name only");
                return;
            }
            writer = other;
        }
        StorePath path = StorePath.of(writer.name(), call.getKey());
        if (path == null) {
            caller.refuse(id, VerbsStatus.EINVAL, "key has characters it must not have");
            return;
        }
        if (call.getRemove()) {
            machine.store().remove(path);
            caller.done(id);
            return;
        }
        VerbsStatus status = machine.store().write(path, call.getValue());
        if (status == VerbsStatus.SUCCESS) {
            caller.done(id);
        } else {
            caller.refuse(id, status, "store quota of " + writer.name() + " used up");
        }
    }

    void read(long id, StoreReadCall call, HypercallConnection caller) {
        StorePath path = StorePath.parse(call.getPath());
        if (path == null) {
            caller.refuse(id, VerbsStatus.EINVAL, "not a path domain/<name>/<key>");
            return;
        }
        // An unsigned number on the wire.
        long waitMillis = Integer.toUnsignedLong(call.getWaitMillis());
        Optional<String> now = machine.store().read(path);
        if (waitMillis == 0 || now.isPresent()) {
            answer(id, now, caller);
            return;
        }
        Wait wait = new Wait(machine.store().await(path));
        waits.add(wait);
        // One timer thread of the JDK serves all these; it sleeps until the first is due.
        var _ = wait.value.orTimeout(waitMillis, TimeUnit.MILLISECONDS).whenComplete((value, failure) -> {
            waits.remove(wait);
            if (failure instanceof KeyValueStore.WriterEnded ended) {
                caller.refuse(id, VerbsStatus.ENOENT, words(ended));
            } else {
                answer(id, Optional.ofNullable(value), caller);
            }
        });
    }

    private static String words(KeyValueStore.WriterEnded ended) {
        return String.valueOf(ended.getMessage());
    }

    private static void answer(long id, Optional<String> value, HypercallConnection caller) {
        StoreValueReply.Builder reply = StoreValueReply.newBuilder().setPresent(value.isPresent());
        value.ifPresent(reply::setValue);
        caller.reply(HypercallReply.newBuilder().setId(id).setStoreValue(reply), List.of());
    }

    void cancelWaits() {
        waits.forEach(wait -> wait.value.cancel(false));
    }
}
