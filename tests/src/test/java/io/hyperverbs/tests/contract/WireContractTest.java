package io.hyperverbs.tests.contract;

import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.inprocess.Wiring;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract on an HCA whose every message goes over its wire and comes back: as {@link
 * InProcessContractTest}, but for {@link WireCases#OTHERWISE}.
 */
class WireContractTest {
    private static ContractMachine machine;

    @BeforeAll
    static void startMachine(@TempDir Path folder) throws Exception {
        machine = new ContractMachine(folder, Wiring.outAndBack(ContractMachine.LIMITS, Sources.seed()));
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return machine.hold(WireCases.OTHERWISE.keySet());
    }

    @TestFactory
    Stream<DynamicNode> isOtherwise() {
        return machine.areOtherwise(WireCases.OTHERWISE);
    }
}
