package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.verbs.sa.ServiceRegistration;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.time.Duration;
import java.util.List;

/** Service records: who offers what on the subnet. */
@CaseGroup("sa")
public final class SaServiceCases {
    private static final long SERVICE = 0x4856_0000_0000_00aaL;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final String LIMITS = "what a service record has no room for: EINVAL (IBA 15.2.5.14)";

    private SaServiceCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add("service-id-0", LIMITS, rig -> refusesService(rig, 0, "x", 0, Duration.ofMinutes(1)));
        cases.add(
                "service-name-too-long",
                LIMITS,
                rig -> refusesService(rig, SERVICE, "x".repeat(65), 0, Duration.ofMinutes(1)));
        cases.add("service-data-too-long", LIMITS, rig -> refusesService(rig, SERVICE, "x", 65, Duration.ofMinutes(1)));
        cases.add(
                "service-lease-too-short", LIMITS, rig -> refusesService(rig, SERVICE, "x", 0, Duration.ofMillis(10)));
        cases.add(
                "context-with-service",
                "a context with a service: EBUSY naming it",
                rig -> SaGroupCases.closeNames(rig, context -> register(context, "x")));
    }

    private static ServiceRegistration register(Context context, String name) throws VerbsException {
        return SubnetAdministration.of(context)
                .register(SERVICE, name, PrivateData.of(name), SubnetAdministration.FOR_EVER);
    }

    @Case("a registered service is found by id and by name (IBA 15.2.5.14)")
    static void serviceFoundByIdAndName(Rig rig) throws VerbsException {
        Context context = rig.context();

        ServiceRecord record = rig.closing(register(context, "store")).record();

        SubnetAdministration subnet = SaPathCases.subnet(rig);
        Expect.equal(new ServiceRecord(SERVICE, subnet.gid(), "store", PrivateData.of("store")), record, "record");
        Expect.equal(List.of(record), subnet.services(SERVICE), "services by id");
        Expect.equal(List.of(record), subnet.services("store"), "services by name");
        Expect.equal(List.of(), subnet.services(SERVICE + 1), "services of another id");
        Expect.equal(List.of(), subnet.services("stor"), "services of another name");
    }

    @Case("a service that is closed is found no more")
    static void serviceUnregistered(Rig rig) throws VerbsException {
        ServiceRegistration registration = rig.closing(register(rig.context(), "gone"));

        registration.close();

        Expect.equal(List.of(), SaPathCases.subnet(rig).services(SERVICE), "services");
    }

    @Case("a service registered again has the new name and data")
    static void serviceReplaced(Rig rig) throws VerbsException {
        Context context = rig.context();
        ServiceRegistration old = rig.closing(register(context, "old"));

        ServiceRegistration made = rig.closing(register(context, "new"));

        SubnetAdministration subnet = SaPathCases.subnet(rig);
        Expect.equal(List.of(made.record()), subnet.services(SERVICE), "services");
        old.close();
        Expect.equal(List.of(made.record()), subnet.services(SERVICE), "services then");
    }

    @Case("a service whose lease is over is found no more")
    static void serviceLeaseEnds(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        var _ = rig.closing(subnet.register(SERVICE, "short", PrivateData.none(), Duration.ofSeconds(1)));
        Expect.equal(1, subnet.services(SERVICE).size(), "services");
        // Asking without a pause would use up the quota of control verbs; no event comes here.
        CmChannel pause = rig.closing(ConnectionManager.of(rig.context()).createChannel());
        long endNanos = rig.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (!subnet.services(SERVICE).isEmpty()) {
            Expect.isTrue(rig.nanoTime() < endNanos, "a lease of 1 s stands after 5 s");
            Expect.isTrue(pause.await(PAUSE).isEmpty(), "an event out of nowhere");
        }
    }

    private static void refusesService(Rig rig, long id, String name, int dataBytes, Duration lease)
            throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);

        Expect.refused(
                VerbsStatus.EINVAL,
                "registering",
                () -> subnet.register(id, name, PrivateData.of(new byte[dataBytes]), lease));

        Expect.equal(List.of(), subnet.services(name), "services");
    }
}
