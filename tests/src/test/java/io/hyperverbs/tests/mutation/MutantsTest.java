package io.hyperverbs.tests.mutation;

import io.hyperverbs.lab.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.SAXException;

/**
 * Of each class that judges, tests notice so many mutants as its {@link Part} says. A build mutates
 * those that changed since this held of them: most builds, none. {@code mvn verify -Ppit
 * [-Dpit.part=vmm,hca]} mutates all, and so sees that a test has become weaker.
 */
class MutantsTest {
    private static final List<String> WANTED =
            List.of(System.getProperty("pit.part", "all").split(","));

    @ParameterizedTest
    @EnumSource
    void areNoticed(Part part, @TempDir Path temporary)
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        if (!WANTED.contains("all") && !WANTED.contains(part.word())) {
            return;
        }
        Ledger ledger = Ledger.of("mutants");
        List<String> sources =
                ledger.due(part.classes().stream().map(MutatedClass::source).toList());
        List<MutatedClass> due = part.classes().stream()
                .filter(one -> sources.contains(one.source()))
                .toList();
        if (!due.isEmpty()) {
            System.out.println("mutates " + due.stream().map(MutatedClass::name).toList());
            PitRun.assertNoticed(part, due, temporary);
            ledger.note(sources);
        }
    }
}
