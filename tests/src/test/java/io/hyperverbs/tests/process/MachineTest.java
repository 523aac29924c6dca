package io.hyperverbs.tests.process;

import io.hyperverbs.tests.machine.TestMachine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import java.util.List;
import java.util.Map;

/** A test class with a machine of its own, to which its tests add the guests that they need. */
@TestInstance(Lifecycle.PER_CLASS) // Other classes run at the same time, each with another machine.
abstract class MachineTest {
    private TestMachine machine;

    @BeforeAll
    void startMachine() throws Exception {
        machine = new TestMachine(List.of(), Map.of());
    }

    @AfterAll
    void closeMachine() throws Exception {
        machine.close();
    }

    TestMachine machine() {
        return machine;
    }
}
