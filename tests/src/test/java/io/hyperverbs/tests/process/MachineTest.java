package io.hyperverbs.tests.process;

import io.hyperverbs.tests.machine.OneMachine;
import io.hyperverbs.tests.machine.TestMachine;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class that adds the guests that its tests need to a machine which other such classes use
 * before and after it: their names must be its own.
 */
@ExtendWith(OneMachine.class)
@ResourceLock("the machine")
abstract class MachineTest {
    TestMachine machine() {
        return OneMachine.get();
    }
}
