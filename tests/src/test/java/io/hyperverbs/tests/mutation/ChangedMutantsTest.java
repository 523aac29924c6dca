package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.util.List;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.SAXException;

/**
 * Mutates the classes that have changed since PIT went over all of their part: most builds, none.
 * That a test has become weaker only {@link MutationTest} sees.
 */
class ChangedMutantsTest {
    @ParameterizedTest
    @EnumSource
    void testsNoticeMutantsOfWhatChanged(Part part)
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        List<MutatedClass> changed = MutatedSources.read(MutationTest.SOURCES).changed(part);
        if (!changed.isEmpty()) {
            System.out.println(
                    "changed: " + changed.stream().map(MutatedClass::name).toList());
            PitRun.assertNoticed(part, changed);
        }
    }
}
