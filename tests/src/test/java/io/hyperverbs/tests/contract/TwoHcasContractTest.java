package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.inprocess.Wiring;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract between two HCAs: sides with contexts of their own are in domains of one and the other
 * by turns.
 */
@RunsWhenChanged
class TwoHcasContractTest {
    private static ContractMachine machine;

    @BeforeAll
    static void startMachine(@TempDir Path folder) throws Exception {
        machine = new ContractMachine(
                folder, Wiring.between(2, ContractMachine.LIMITS, Sources.seed(), Wiring.Impairment.none()));
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return machine.hold(WireCases.notBetween());
    }

    @Test
    void casesThatNeedOneDomainAreThere() {
        assertThat(Conformance.cases(WireCases.ONE_DOMAIN)).hasSameSizeAs(WireCases.ONE_DOMAIN);
    }

    @TestFactory
    Stream<DynamicNode> isOtherwise() {
        return machine.areOtherwise(WireCases.otherwiseBetween());
    }
}
