package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.run.inprocess.Wiring;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract on one machine in this process and on virtual time, one after the
 * other: what the HCA, the device domain's driver and the frontend driver answer. How that travels
 * between processes is {@link ContractTest}'s.
 */
class InProcessContractTest {
    private static ContractMachine machine;

    @BeforeAll
    static void startMachine(@TempDir Path folder) throws Exception {
        machine = new ContractMachine(folder, Wiring.none(ContractMachine.LIMITS));
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return machine.hold(Set.of());
    }

    @Test
    void casesThatNeedThreadsAreThere() {
        assertThat(Conformance.cases(PathCases.NEED_THREADS)).hasSameSizeAs(PathCases.NEED_THREADS);
    }
}
