package io.hyperverbs.backend.testing;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One request of each kind there is, and the same with another handle in one place. */
public final class EveryRequest {
    /** Names of record components that hold handles. */
    private static final Set<String> HANDLES = Set.of(
            "context",
            "pd",
            "region",
            "ring",
            "cq",
            "sendCq",
            "receiveCq",
            "qp",
            "srq",
            "xrcd",
            "handle",
            "channel",
            "connection");

    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final CmOffer OFFER = new CmOffer(QpType.RC, 17, 1, 4, 4, 6, 7, 14);

    private EveryRequest() {}

    /** On these objects; {@code frames} are one of the domain's own. */
    public static List<ControlRequest> on(SessionObjects own, long channel, long connection, FrameRun frames) {
        List<ControlRequest> all = new ArrayList<>();
        all.add(new ControlRequest.OpenContext(DataPathKind.BYPASS));
        all.add(new ControlRequest.QueryDevice(own.context()));
        all.add(new ControlRequest.QueryPort(own.context(), 1));
        all.add(new ControlRequest.QueryGid(own.context(), 1, 0));
        all.add(new ControlRequest.QueryPkey(own.context(), 1, 0));
        all.add(new ControlRequest.AllocatePd(own.context()));
        all.add(new ControlRequest.OpenXrcd(own.context()));
        all.add(SessionObjects.register(own.pd(), frames));
        all.add(new ControlRequest.RegisterRing(own.context(), 4096, List.of(frames)));
        all.add(new ControlRequest.CreateCq(own.context(), 16, own.cqRing(), true));
        all.add(new ControlRequest.ResizeCq(own.cq(), 16, own.cqRing(), 0));
        all.add(new ControlRequest.ModerateCq(own.cq(), 1, 1));
        all.add(SessionObjects.createQp(own.pd(), own.cq(), own.qpRing()));
        all.add(new ControlRequest.CreateQp(
                own.pd(), 2, own.cq(), own.cq(), own.qpRing(), SessionObjects.LIMITS, own.srq()));
        all.add(new ControlRequest.ModifyQp(own.qp(), QpAttributes.to(QpState.ERR)));
        all.add(new ControlRequest.QueryQp(own.qp()));
        all.add(new ControlRequest.CreateAh(own.pd(), AddressAttributes.of(1)));
        all.add(new ControlRequest.AttachMulticast(own.qp(), GROUP, 0xc001));
        all.add(new ControlRequest.DetachMulticast(own.qp(), GROUP, 0xc001));
        all.add(new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, own.srqRing()));
        all.add(new ControlRequest.ArmSrq(own.srq(), 1));
        all.add(new ControlRequest.ResizeSrq(own.srq(), 16, own.srqRing()));
        all.add(new ControlRequest.QuerySrq(own.srq()));
        all.add(new ControlRequest.ReregisterMemory(own.region(), 7, own.pd(), 0, 4096, 1, List.of(frames)));
        all.add(new ControlRequest.AllocateDmaKey(own.pd()));
        all.add(new ControlRequest.AllocateWindow(own.pd(), 2));
        for (ObjectKind kind : ObjectKind.values()) {
            all.add(new ControlRequest.Destroy(kind, own.handle(kind)));
        }
        for (ManagementRequest request : management(own, channel, connection)) {
            all.add(new ControlRequest.Management(request));
        }
        return all;
    }

    private static List<ManagementRequest> management(SessionObjects own, long channel, long connection) {
        Destination nobody = Destination.guest("nobody");
        PrivateData none = PrivateData.none();
        return List.of(
                new ManagementRequest.CreateChannel(own.context()),
                new ManagementRequest.Listen(channel, 7, 1),
                new ManagementRequest.Resolve(channel, nobody),
                new ManagementRequest.Connect(connection, 7, OFFER, 1_000_000, none),
                new ManagementRequest.Accept(connection, OFFER, 1_000_000, none),
                new ManagementRequest.Answer(connection, ManagementRequest.Answer.Kind.REJ, none),
                new ManagementRequest.TakeEvents(channel),
                new ManagementRequest.Release(connection),
                new ManagementRequest.QueryOwnGid(own.context()),
                new ManagementRequest.QueryPath(own.context(), nobody),
                new ManagementRequest.JoinGroup(own.context(), GROUP, 1, 0),
                new ManagementRequest.QueryGroup(own.context(), GROUP),
                new ManagementRequest.RegisterService(own.context(), 9, "s", none, 60),
                new ManagementRequest.QueryServices(own.context(), 9, ""));
    }

    /** Kinds of request that are not in {@code requests}. */
    public static Set<String> missing(List<ControlRequest> requests) {
        Set<String> missing = new TreeSet<>();
        for (Class<?> family : List.of(ControlRequest.class, ManagementRequest.class)) {
            for (Class<?> kind : family.getPermittedSubclasses()) {
                missing.add(kind.getSimpleName());
            }
        }
        for (ControlRequest request : requests) {
            missing.remove(request.getClass().getSimpleName());
            if (request instanceof ControlRequest.Management management) {
                missing.remove(management.request().getClass().getSimpleName());
            }
        }
        return missing;
    }

    /** The request with {@code handle} in the place of each of its handles, one at a time. */
    public static List<ControlRequest> with(ControlRequest request, long handle) {
        if (request instanceof ControlRequest.Management management) {
            return variants(management.request(), handle).stream()
                    .<ControlRequest>map(changed -> new ControlRequest.Management((ManagementRequest) changed))
                    .toList();
        }
        return variants(request, handle).stream()
                .map(ControlRequest.class::cast)
                .toList();
    }

    private static List<Object> variants(Object request, long handle) {
        RecordComponent[] parts = request.getClass().getRecordComponents();
        List<Object> variants = new ArrayList<>();
        try {
            Object[] values = new Object[parts.length];
            for (int i = 0; i < parts.length; i++) {
                values[i] = parts[i].getAccessor().invoke(request);
            }
            Class<?>[] types =
                    Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
            for (int i = 0; i < parts.length; i++) {
                // 0 says that there is none: nothing to look up.
                if (HANDLES.contains(parts[i].getName()) && !values[i].equals(0L)) {
                    Object[] changed = values.clone();
                    changed[i] = handle;
                    variants.add(
                            request.getClass().getDeclaredConstructor(types).newInstance(changed));
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(request.toString(), e);
        }
        return variants;
    }
}
