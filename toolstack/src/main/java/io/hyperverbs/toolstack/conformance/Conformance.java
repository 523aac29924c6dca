package io.hyperverbs.toolstack.conformance;

import io.hyperverbs.toolstack.conformance.cases.AccessBindCases;
import io.hyperverbs.toolstack.conformance.cases.AccessCases;
import io.hyperverbs.toolstack.conformance.cases.AccessMatrixCases;
import io.hyperverbs.toolstack.conformance.cases.AddressCases;
import io.hyperverbs.toolstack.conformance.cases.AhCases;
import io.hyperverbs.toolstack.conformance.cases.AsyncCases;
import io.hyperverbs.toolstack.conformance.cases.AtomicCases;
import io.hyperverbs.toolstack.conformance.cases.BehaviourCases;
import io.hyperverbs.toolstack.conformance.cases.BufferCases;
import io.hyperverbs.toolstack.conformance.cases.ChannelCases;
import io.hyperverbs.toolstack.conformance.cases.ChannelReachCases;
import io.hyperverbs.toolstack.conformance.cases.CmCases;
import io.hyperverbs.toolstack.conformance.cases.CmCheckCases;
import io.hyperverbs.toolstack.conformance.cases.CmEndCases;
import io.hyperverbs.toolstack.conformance.cases.CmSizeCases;
import io.hyperverbs.toolstack.conformance.cases.CmTransportCases;
import io.hyperverbs.toolstack.conformance.cases.CqCases;
import io.hyperverbs.toolstack.conformance.cases.CqModerationCases;
import io.hyperverbs.toolstack.conformance.cases.CqResizeCases;
import io.hyperverbs.toolstack.conformance.cases.CqResizeEffectCases;
import io.hyperverbs.toolstack.conformance.cases.DeviceCases;
import io.hyperverbs.toolstack.conformance.cases.DmaKeyCases;
import io.hyperverbs.toolstack.conformance.cases.EventCases;
import io.hyperverbs.toolstack.conformance.cases.ExplainCases;
import io.hyperverbs.toolstack.conformance.cases.FlushCases;
import io.hyperverbs.toolstack.conformance.cases.HistoryCases;
import io.hyperverbs.toolstack.conformance.cases.InlineCases;
import io.hyperverbs.toolstack.conformance.cases.InvalidateCases;
import io.hyperverbs.toolstack.conformance.cases.KeyCases;
import io.hyperverbs.toolstack.conformance.cases.LocalErrorCases;
import io.hyperverbs.toolstack.conformance.cases.MemoryCases;
import io.hyperverbs.toolstack.conformance.cases.MulticastCases;
import io.hyperverbs.toolstack.conformance.cases.MulticastDropCases;
import io.hyperverbs.toolstack.conformance.cases.ParentDomainCases;
import io.hyperverbs.toolstack.conformance.cases.PdCases;
import io.hyperverbs.toolstack.conformance.cases.PortCases;
import io.hyperverbs.toolstack.conformance.cases.PostCases;
import io.hyperverbs.toolstack.conformance.cases.PosterCases;
import io.hyperverbs.toolstack.conformance.cases.QpAttributeCases;
import io.hyperverbs.toolstack.conformance.cases.QpCreateCases;
import io.hyperverbs.toolstack.conformance.cases.QpMoveCases;
import io.hyperverbs.toolstack.conformance.cases.QpPostCases;
import io.hyperverbs.toolstack.conformance.cases.QuotaCases;
import io.hyperverbs.toolstack.conformance.cases.RcCases;
import io.hyperverbs.toolstack.conformance.cases.RcOrderCases;
import io.hyperverbs.toolstack.conformance.cases.RemoteErrorCases;
import io.hyperverbs.toolstack.conformance.cases.ReregisterCases;
import io.hyperverbs.toolstack.conformance.cases.ReregisterRefusalCases;
import io.hyperverbs.toolstack.conformance.cases.RetryCases;
import io.hyperverbs.toolstack.conformance.cases.SaGroupCases;
import io.hyperverbs.toolstack.conformance.cases.SaPathCases;
import io.hyperverbs.toolstack.conformance.cases.SaServiceCases;
import io.hyperverbs.toolstack.conformance.cases.SizeCases;
import io.hyperverbs.toolstack.conformance.cases.SqeCases;
import io.hyperverbs.toolstack.conformance.cases.SrqCases;
import io.hyperverbs.toolstack.conformance.cases.SrqEventCases;
import io.hyperverbs.toolstack.conformance.cases.SrqTransferCases;
import io.hyperverbs.toolstack.conformance.cases.ThreadCases;
import io.hyperverbs.toolstack.conformance.cases.UcCases;
import io.hyperverbs.toolstack.conformance.cases.UcDropCases;
import io.hyperverbs.toolstack.conformance.cases.UdCases;
import io.hyperverbs.toolstack.conformance.cases.UdDropCases;
import io.hyperverbs.toolstack.conformance.cases.WindowBindCases;
import io.hyperverbs.toolstack.conformance.cases.WindowTypeCases;
import io.hyperverbs.toolstack.conformance.cases.WindowUseCases;
import io.hyperverbs.toolstack.conformance.cases.XrcCases;
import io.hyperverbs.toolstack.conformance.cases.XrcErrorCases;
import io.hyperverbs.toolstack.conformance.cases.XrcStateCases;
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
