package io.hyperverbs.tests.mutation;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Classes of one module that are mutated together, and the tests that must notice it. */
enum Part {
    /** What decides by arithmetic alone: no mutant goes unnoticed. */
    RINGS(
            "hca-model",
            "io.hyperverbs.hca.",
            100,
            List.of("tpt.RangeCheck", "layout.QueueIndexes", "layout.QueueGeometry", "qp.SendQueue", "qp.ReceiveQueue"),
            List.of(
                    "tpt.RangeCheckTest",
                    "layout.QueueIndexesTest",
                    "layout.QueueGeometryTest",
                    "qp.SendQueueTest",
                    "qp.SendWindowTest",
                    "qp.ReceiveQueueTest")),
    HCA(
            "hca-model",
            "io.hyperverbs.hca.",
            90,
            List.of(
                    "number.IntTable",
                    "qp.ModifyCheck",
                    "qp.QpMoves",
                    "transport.KeyLockout",
                    "transport.LockoutPolicy",
                    "transport.LockoutState",
                    "transport.RequestCheck",
                    "transport.SgList",
                    "ud.AddressCheck"),
            List.of(
                    "KeyLockoutTest",
                    "number.NumbersTest",
                    "qp.ModifyCheckTest",
                    "qp.QpMovesTest",
                    "transport.KeyLockoutRulesTest",
                    "transport.LockoutStateTest",
                    "transport.RequestCheckTest",
                    "transport.SgListTest",
                    "ud.AddressCheckTest")),
    KEYS(
            "hca-model",
            "io.hyperverbs.hca.tpt.",
            90,
            List.of("KeyTable", "Region", "Tpt", "WindowTable"),
            List.of(
                    "KeyTableTest",
                    "TptCapacityTest",
                    "TptTest",
                    "WindowContextTest",
                    "WindowRefusalTest",
                    "WindowTableTest")),
    BACKEND(
            "backend-domain",
            "io.hyperverbs.backend.",
            90,
            List.of(
                    "forwarded.ForwardedCq",
                    "journal.JournalFrame",
                    "journal.JournalScan",
                    "session.HandleTable",
                    "session.Quota",
                    "session.QuotaKind",
                    "session.QuotaPromises",
                    "session.ReplyWindow",
                    "session.TokenBucket",
                    "verbs.QueueMemories",
                    "verbs.RegionCheck",
                    "verbs.Statuses"),
            List.of(
                    "forwarded.ForwardedArmsTest",
                    "forwarded.ForwardedCqTest",
                    "journal.JournalFrameTest",
                    "journal.JournalScanTest",
                    "session.HandleTableTest",
                    "session.QuotaKindTest",
                    "session.QuotaTest",
                    "session.ReplyWindowTest",
                    "session.TokenBucketTest",
                    "verbs.QueueMemoriesTest",
                    "verbs.RegionCheckTest",
                    "verbs.RegionVerbsTest",
                    "verbs.RegistrationTest",
                    "verbs.RequestChecksTest",
                    "verbs.RingRegistrationTest")),
    VMM(
            "vmm",
            "io.hyperverbs.vmm.",
            90,
            List.of(
                    "domain.BackendCalls",
                    "domain.DomainCalls",
                    "domain.DomainNames",
                    "domain.StoreCalls",
                    "memory.DomainPins",
                    "memory.FrameTable",
                    "memory.GrantTable",
                    "memory.PinChange",
                    "store.KeyValueStore"),
            List.of(
                    "domain.BackendCallsTest",
                    "domain.DomainCallsTest",
                    "domain.NetworkCallsTest",
                    "domain.StoreCallsTest",
                    "domain.TwoHcasTest",
                    "memory.DomainPinsTest",
                    "memory.FrameTableTest",
                    "memory.GrantTableTest",
                    "store.KeyValueStoreTest"));

    private final String module;
    private final String root;
    final int leastPercent;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is.
    private final List<String> classes;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is.
    private final List<String> tests;

    Part(String module, String root, int leastPercent, List<String> classes, List<String> tests) {
        this.module = module;
        this.root = root;
        this.leastPercent = leastPercent;
        this.classes = classes;
        this.tests = tests;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of its module. */
    Path folder() {
        return Path.of("..", module).toAbsolutePath().normalize();
    }

    List<MutatedClass> classes() {
        return classes.stream().map(name -> new MutatedClass(this, root + name)).toList();
    }

    String tests() {
        return String.join(",", tests.stream().map(name -> root + name).toList());
    }
}
