package io.hyperverbs.lab.conformance.catalogue;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.cases.AccessBindCases;
import io.hyperverbs.lab.conformance.cases.AccessCases;
import io.hyperverbs.lab.conformance.cases.AccessMatrixCases;
import io.hyperverbs.lab.conformance.cases.AddressCases;
import io.hyperverbs.lab.conformance.cases.AhCases;
import io.hyperverbs.lab.conformance.cases.AsyncCases;
import io.hyperverbs.lab.conformance.cases.AtomicCases;
import io.hyperverbs.lab.conformance.cases.BehaviourCases;
import io.hyperverbs.lab.conformance.cases.BufferCases;
import io.hyperverbs.lab.conformance.cases.ChannelCases;
import io.hyperverbs.lab.conformance.cases.ChannelReachCases;
import io.hyperverbs.lab.conformance.cases.CmCases;
import io.hyperverbs.lab.conformance.cases.CmCheckCases;
import io.hyperverbs.lab.conformance.cases.CmEndCases;
import io.hyperverbs.lab.conformance.cases.CmSizeCases;
import io.hyperverbs.lab.conformance.cases.CmTransportCases;
import io.hyperverbs.lab.conformance.cases.CqCases;
import io.hyperverbs.lab.conformance.cases.CqModerationCases;
import io.hyperverbs.lab.conformance.cases.CqResizeCases;
import io.hyperverbs.lab.conformance.cases.CqResizeEffectCases;
import io.hyperverbs.lab.conformance.cases.DeviceCases;
import io.hyperverbs.lab.conformance.cases.DmaKeyCases;
import io.hyperverbs.lab.conformance.cases.EventCases;
import io.hyperverbs.lab.conformance.cases.ExplainCases;
import io.hyperverbs.lab.conformance.cases.FlushCases;
import io.hyperverbs.lab.conformance.cases.HistoryCases;
import io.hyperverbs.lab.conformance.cases.InlineCases;
import io.hyperverbs.lab.conformance.cases.InvalidateCases;
import io.hyperverbs.lab.conformance.cases.KeyCases;
import io.hyperverbs.lab.conformance.cases.LocalErrorCases;
import io.hyperverbs.lab.conformance.cases.MemoryCases;
import io.hyperverbs.lab.conformance.cases.MulticastCases;
import io.hyperverbs.lab.conformance.cases.MulticastDropCases;
import io.hyperverbs.lab.conformance.cases.ParentDomainCases;
import io.hyperverbs.lab.conformance.cases.PdCases;
import io.hyperverbs.lab.conformance.cases.PortCases;
import io.hyperverbs.lab.conformance.cases.PostCases;
import io.hyperverbs.lab.conformance.cases.PosterCases;
import io.hyperverbs.lab.conformance.cases.QpAttributeCases;
import io.hyperverbs.lab.conformance.cases.QpCreateCases;
import io.hyperverbs.lab.conformance.cases.QpMoveCases;
import io.hyperverbs.lab.conformance.cases.QpPostCases;
import io.hyperverbs.lab.conformance.cases.QuotaCases;
import io.hyperverbs.lab.conformance.cases.RcCases;
import io.hyperverbs.lab.conformance.cases.RcOrderCases;
import io.hyperverbs.lab.conformance.cases.RemoteErrorCases;
import io.hyperverbs.lab.conformance.cases.ReregisterCases;
import io.hyperverbs.lab.conformance.cases.ReregisterRefusalCases;
import io.hyperverbs.lab.conformance.cases.RetryCases;
import io.hyperverbs.lab.conformance.cases.SaGroupCases;
import io.hyperverbs.lab.conformance.cases.SaPathCases;
import io.hyperverbs.lab.conformance.cases.SaServiceCases;
import io.hyperverbs.lab.conformance.cases.SizeCases;
import io.hyperverbs.lab.conformance.cases.SqeCases;
import io.hyperverbs.lab.conformance.cases.SrqCases;
import io.hyperverbs.lab.conformance.cases.SrqEventCases;
import io.hyperverbs.lab.conformance.cases.SrqTransferCases;
import io.hyperverbs.lab.conformance.cases.ThreadCases;
import io.hyperverbs.lab.conformance.cases.UcCases;
import io.hyperverbs.lab.conformance.cases.UcDropCases;
import io.hyperverbs.lab.conformance.cases.UdCases;
import io.hyperverbs.lab.conformance.cases.UdDropCases;
import io.hyperverbs.lab.conformance.cases.WindowBindCases;
import io.hyperverbs.lab.conformance.cases.WindowTypeCases;
import io.hyperverbs.lab.conformance.cases.WindowUseCases;
import io.hyperverbs.lab.conformance.cases.XrcCases;
import io.hyperverbs.lab.conformance.cases.XrcErrorCases;
import io.hyperverbs.lab.conformance.cases.XrcStateCases;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The registry of all cases. Callable from any thread. */
public final class Conformance {
    private static final List<ConformanceCase> ALL = Stream.of(
                    DeviceCases.cases(),
                    ThreadCases.cases(),
                    QuotaCases.cases(),
                    PortCases.cases(),
                    PdCases.cases(),
                    ParentDomainCases.cases(),
                    WindowBindCases.cases(),
                    WindowUseCases.cases(),
                    WindowTypeCases.cases(),
                    InvalidateCases.cases(),
                    MemoryCases.cases(),
                    KeyCases.cases(),
                    AddressCases.cases(),
                    ReregisterCases.cases(),
                    ReregisterRefusalCases.cases(),
                    DmaKeyCases.cases(),
                    BufferCases.cases(),
                    QpCreateCases.cases(),
                    QpMoveCases.cases(),
                    QpAttributeCases.cases(),
                    QpPostCases.cases(),
                    BehaviourCases.cases(),
                    ExplainCases.cases(),
                    RcCases.cases(),
                    RcOrderCases.cases(),
                    AtomicCases.cases(),
                    SizeCases.cases(),
                    InlineCases.cases(),
                    PostCases.cases(),
                    PosterCases.cases(),
                    AccessCases.cases(),
                    AccessMatrixCases.cases(),
                    AccessBindCases.cases(),
                    LocalErrorCases.cases(),
                    RemoteErrorCases.cases(),
                    RetryCases.cases(),
                    FlushCases.cases(),
                    CqCases.cases(),
                    CqResizeCases.cases(),
                    CqResizeEffectCases.cases(),
                    CqModerationCases.cases(),
                    ChannelCases.cases(),
                    ChannelReachCases.cases(),
                    EventCases.cases(),
                    AsyncCases.cases(),
                    UcCases.cases(),
                    UcDropCases.cases(),
                    SqeCases.uc(),
                    UdCases.cases(),
                    UdDropCases.cases(),
                    SqeCases.ud(),
                    AhCases.cases(),
                    MulticastCases.cases(),
                    MulticastDropCases.cases(),
                    SrqCases.cases(),
                    SrqTransferCases.cases(),
                    SrqEventCases.cases(),
                    XrcCases.cases(),
                    XrcErrorCases.cases(),
                    XrcStateCases.cases(),
                    CmCases.cases(),
                    CmTransportCases.cases(),
                    CmSizeCases.cases(),
                    CmCheckCases.cases(),
                    CmEndCases.cases(),
                    SaPathCases.cases(),
                    SaGroupCases.cases(),
                    SaServiceCases.cases(),
                    HistoryCases.cases())
            .flatMap(Collection::stream)
            .toList();

    static {
        Set<String> names = new HashSet<>();
        for (ConformanceCase one : ALL) {
            if (!names.add(one.name())) {
                throw new IllegalStateException("two cases are called " + one.name());
            }
        }
    }

    private Conformance() {}

    /** Every case, in the order in which they run. */
    public static List<ConformanceCase> cases() {
        return ALL;
    }

    /** The cases whose name or group is in {@code wanted}; all of them if it is empty. */
    public static List<ConformanceCase> cases(Collection<String> wanted) {
        return ALL.stream()
                .filter(one -> wanted.isEmpty() || wanted.contains(one.name()) || wanted.contains(one.group()))
                .toList();
    }
}
