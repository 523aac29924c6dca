package io.hyperverbs.tests.process;

import io.hyperverbs.tests.machine.TestMachine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import java.util.List;
import java.util.Map;

/** A test class with a machine of its own, to which its tests add the guests that they need. */
abstract class MachineTest {
    private static TestMachine machine;

    @BeforeAll
    static void startMachine() throws Exception {
        machine = new TestMachine(List.of(), Map.of());
    }

    @AfterAll
    static void closeMachine() throws Exception {
        machine.close();
    }

    static TestMachine machine() {
        return machine;
    }
}
