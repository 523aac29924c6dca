package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Service;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.ManagementRequest.QueryServices;
import io.hyperverbs.vmm.io.ManagementRequest.RegisterService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Service records with their leases (IBA 15.2.5.14). Under the lock of {@link Management}. */
final class Services {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long INDEFINITE_SECONDS = 0xffff_ffffL;
    private static final int MAX_ANSWERS = 128;

    private final Set<Service> services = new LinkedHashSet<>();

    Service register(CmSession owner, ContextObject context, RegisterService request, long nowNanos) throws Refusal {
        check(request);
        expire(nowNanos);
        Service old = find(owner, request.id());
        if (old == null) {
            owner.checkRoom(QuotaKind.SA);
        } else {
            end(old);
            owner.remove(old);
            old.context().dereference();
        }
        long end = request.leaseSeconds() == INDEFINITE_SECONDS
                ? Long.MAX_VALUE
                : nowNanos + request.leaseSeconds() * NANOS_PER_SECOND;
        Service service = new Service(
                owner, context, new ServiceRecord(request.id(), owner.gid, request.name(), request.data()), end);
        services.add(service);
        owner.add(service);
        return service;
    }

    List<ServiceRecord> find(QueryServices query, long nowNanos) {
        expire(nowNanos);
        List<ServiceRecord> found = new ArrayList<>();
        for (Service service : services) {
            ServiceRecord record = service.service;
            boolean matches =
                    query.id() != 0 ? record.id() == query.id() : record.name().equals(query.name());
            if (matches && found.size() < MAX_ANSWERS) {
                found.add(record);
            }
        }
        return found;
    }

    /** The record goes; the handle stays until it is released. */
    void end(Service service) {
        service.ended = true;
        services.remove(service);
    }

    private void expire(long nowNanos) {
        for (Service service : List.copyOf(services)) {
            if (service.endNanos <= nowNanos) {
                end(service);
            }
        }
    }

    private @Nullable Service find(CmSession owner, long id) {
        for (Service service : services) {
            if (service.owner.equals(owner) && service.service.id() == id) {
                return service;
            }
        }
        return null;
    }

    private static void check(RegisterService request) throws Refusal {
        int nameBytes = request.name().getBytes(StandardCharsets.UTF_8).length;
        if (request.id() == 0
                || nameBytes > ServiceRecord.MAX_NAME_BYTES
                || request.data().length() > ServiceRecord.MAX_DATA_BYTES
                || request.leaseSeconds() < 1
                || request.leaseSeconds() > INDEFINITE_SECONDS) {
            throw new Refusal(
                    VerbsStatus.EINVAL,
                    "service "
                            + request.id()
                            + " with a name of "
                            + nameBytes
                            + " bytes, data of "
                            + request.data().length()
                            + " bytes and a lease of "
                            + request.leaseSeconds()
                            + " s; not 0, at most "
                            + ServiceRecord.MAX_NAME_BYTES
                            + ", at most "
                            + ServiceRecord.MAX_DATA_BYTES
                            + ", at least 1");
        }
    }
}
