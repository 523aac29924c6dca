package io.hyperverbs.tests.history;

import java.util.List;

/**
 * A mistake that another implementation made, by its number in the specification, with what holds
 * it off: conformance cases, {@code group.case}, and tests, {@code Class#method}. The names are
 * checked; the cases run in every domain on every path.
 */
enum HistoricMistake {
    RANGE_CHECK_WRAPS(
            1,
            "access.write-wraps-2-64",
            "access.read-wraps-2-64",
            "errors.send-local-wraps-2-64",
            "errors.receive-wraps-2-64",
            "RangeCheckTest#agreesWithBigIntegerOnAllBoundaries"),
    WINDOW_ON_A_REGION_OF_ANOTHER_PD(2, "mw.bind-type-1-region-of-another-pd", "mw.bind-type-2-region-of-another-pd"),
    EXECUTED_AGAIN_ON_THE_WAY_TO_ERR(
            3,
            "history.nothing-executed-again-while-going-to-err",
            "errors.one-completion-each-while-going-to-err",
            "EngineTest#movingToErrMidCopyCompletesTheRequestOnce"),
    RNR_TIMER_IGNORED(4, "errors.rnr-delay-kept", "RcRetryTest#doorbellsDoNotShortenTheRnrDelay"),
    ATOMIC_APPLIED_TWICE(5, "history.atomic-tried-again-applied-once"),
    NO_COMPLETION_AFTER_TWO_BAD_REQUESTS(6, "errors.two-bad-in-a-row"),
    REARMING_IN_THE_CALLBACK_DEADLOCKS(7, "history.armed-again-in-the-callback", "channel.arming-again"),
    REGION_KEYS_RUN_INTO_WINDOW_KEYS(
            8, "history.keys-of-windows-and-regions-differ", "TptTest#keysOfRegionsNeverRunIntoThoseOfLiveWindows"),
    MISSING_RECEIVE_CQ(
            9,
            "qp-states.closed-cq",
            "qp-states.cq-of-another-context",
            "RequestExecutorTest#answersForeignHandlesAsParametersWithEinval"),
    RESIZE_WHILE_FULL_POLLING_OR_FAILING(
            10,
            "cq.resize-when-full",
            "cq.resize-under-traffic",
            "cq.resize-after-overrun-refused",
            "srq.resize-while-full",
            "ForwardedCqTest#staysWhereItIsWhenTheHcaRefuses"),
    COUNTS_FROM_GUEST_MEMORY_BELIEVED(
            11,
            "RcReceiveErrorTest#malformedReceiveFailsBothSides",
            "RcLocalErrorTest#tooManySegmentsFailTheRequesterAlone",
            "RegistrationTest#passesExactlyThePagesOfTheRange",
            "QpStateTest#sendIndexBeyondTheRingIsFatal"),
    HANDLE_OF_ANOTHER_CLIENT(12, "RequestExecutorTest#answersUnknownAndForeignHandlesAlikeOnDestroy"),
    THROTTLED_TENANT_HOLDS_A_LOCK(
            13,
            "RequestExecutorTest#limitsControlVerbsPerSecond",
            "HypercallPortTest#waitingCallHoldsUpNoOther",
            "HypercallPortTest#repliesToDomainThatDoesNotReadBlockNobody"),
    USE_AFTER_FREE_WHEN_A_GUEST_DIES(
            14, "DeathAtEachStepTest#leavesNothing", "GuestKillTest#peersSeeSilenceAndNothingElse"),
    CONNECT_WAITS_FOR_EVER(
            15,
            "ConnectionMovesTest#everyStateThatWaitsForThePeerHasAnEndWithoutIt",
            "ConnectionsTest#requestWaitsItsTimeAndNotLonger",
            "RandomCallsTest#leaveNothingAndForgetNobody"),
    MINUS_ONE_TAKEN_FOR_DATA(
            16,
            "CompletionQueueTest#impossibleConsumerIndexIsNotBelieved",
            "QpStateTest#receiveIndexBeyondTheRingIsFatalForTheReceiver",
            "ForwardedCqTest#refusesConsumerIndexesBeyondWhatWasSent"),
    CREATE_THAT_FAILS_HALF_WAY_KEEPS_RESOURCES(
            17, "HalfWayFailureTest#leavesCountersAtBaseline", "DriverTest#undoesFirstStageWhenSecondIsRefused"),
    WRONG_STATUS_AT_THE_RESPONDER(18, "errors.send-65-into-64", "errors.receive-no-such-key", "mr.receive-stale-lkey");

    private final int number;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is.
    private final List<String> proofs;

    HistoricMistake(int number, String... proofs) {
        this.number = number;
        this.proofs = List.of(proofs);
    }

    int number() {
        return number;
    }

    List<String> proofs() {
        return proofs;
    }
}
