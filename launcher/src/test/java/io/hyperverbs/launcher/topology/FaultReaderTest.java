package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.vmm.domain.TimedFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults by time in topology files. */
class FaultReaderTest {
    private static final String HEAD = """
        apiVersion: hv/v1
        name: t
        hcas: { hv0: {}, hv1: {}, hv2: {} }
        links: { hv0-hv1: { loss: 1%, delay: 1ms }, hv1-hv2: {} }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    private static Topology parse(String faults) throws HvException {
        return TopologyLoader.parse("t.hv.yaml", HEAD + faults, new ExamplePrograms());
    }

    private static List<String> words(List<TimedFault> faults) {
        return faults.stream()
                .map(fault -> fault.atNanos() / 1_000_000 + "ms " + fault.words())
                .toList();
    }

    @Test
    void areInTheOrderOfTheirTimesThenOfTheFile() throws HvException {
        Topology topology = parse("""
            faults:
              - { at: 1m, kill: hv1 }
              - { at: 30s, kill: a }
              - { at: 0.5s, link: hv1-hv2, set: "loss=1% delay=10us" }
              - { at: 30, link: hv1-hv2, set: none }
            """);

        assertThat(words(topology.faults()))
                .containsExactly(
                        "500ms link hv1-hv2 loss=1% delay=10us",
                        "30000ms kill a", "30000ms link hv1-hv2 none", "60000ms kill hv1");
        assertThat(parse("").faults()).isEmpty();
    }

    /** What is left of the settings is what the file has set by then, in the order of time. */
    @Test
    void downAndUpKeepWhatTheFileHasSet() throws HvException {
        Topology topology = parse("""
            faults:
              - { at: 4s, link: hv0-hv1, set: up }
              - { at: 1s, link: hv0-hv1, set: down }
              - { at: 3s, link: hv0-hv1, set: down=true seed=5 }
              - { at: 2s, link: hv0-hv1, set: up }
            """);

        assertThat(words(topology.faults()))
                .containsExactly(
                        "1000ms link hv0-hv1 down=true loss=1% delay=1ms",
                        "2000ms link hv0-hv1 loss=1% delay=1ms",
                        "3000ms link hv0-hv1 down=true seed=5",
                        "4000ms link hv0-hv1 seed=5");
    }

    @Test
    void eachHostHasThoseOfItsHcasAndGuests() throws HvException {
        Topology whole = TopologyLoader.parse("t.hv.yaml", """
            apiVersion: hv/v1
            name: t
            hosts: { n1: { address: 10.9.0.1 }, n2: { address: 10.9.0.2 }, n3: { address: 10.9.0.3 } }
            hcas: { hv0: { host: n1 }, hv1: { host: n2 }, hv2: { host: n3 } }
            guests: { a: {}, b: { hca: hv1 } }
            faults:
              - { at: 1s, link: hv0-hv1, set: down }
              - { at: 2s, kill: b }
              - { at: 3s, kill: hv2 }
              - { at: 4s, host: n2 }
            """, new ExamplePrograms());

        assertThat(words(whole.part("n1").faults())).containsExactly("1000ms link hv0-hv1 down=true");
        assertThat(words(whole.part("n2").faults()))
                .containsExactly("1000ms link hv0-hv1 down=true", "2000ms kill b", "4000ms end host n2");
        assertThat(words(whole.part("n3").faults())).containsExactly("3000ms kill hv2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        { kill: a }                              | faults.0      | key 'at' is missing |
        { at: soon, kill: a }                    | faults.0.at   | at: 'soon' is not a number with a unit | for example 10s
        { at: 3d, kill: a }                      | faults.0.at   | at: unit 'd' in '3d', must be us, ms, s, m or h | 10s
        { at: [1], kill: a }                     | faults.0.at   | is not a string or a number |
        { at: 1s }                               | faults.0      | a fault that does nothing | write link: and set:, kill:, or host:
        { at: 1s, link: hv0-hv1, set: up, kill: a } | faults.0   | a fault that does several things | write link: and set:
        { at: 1s, link: hv0-hv1 }                | faults.0      | key 'set' is missing | set: down
        { at: 1s, set: down }                    | faults.0      | key 'link' is missing | link: hv0-hv1
        { at: 1s, link: hv0-hv2, set: down }     | faults.0.link | link: no link hv0-hv2 | did you mean
        { at: 1s, link: hv1-hv0, set: down }     | faults.0.link | link: no link hv1-hv0 | it is called hv0-hv1
        { at: 1s, link: hv0-hv1, set: dwn }      | faults.0.set  | set: 'dwn' | down, up, none, or settings
        { at: 1s, link: hv0-hv1, set: loss=200% } | faults.0.set | '200%' is more than 100% | down, up, none
        { at: 1s, kill: hv3 }                    | faults.0.kill | no HCA and no guest hv3 | did you mean
        { at: 1s, kill: a, host: n1 }            | faults.0      | a fault that does several things | kill:, or host:
        { at: 1s, host: n1 }                     | faults.0.host | host: no host n1 | there is none: add hosts
        { at: 1s, kil: a }                       | faults.0.kil  | unknown key 'kil' | did you mean 'kill'?
        """)
    void saysWhatIsWrongAndWhere(String fault, String path, String what, String hint) {
        HvException refused = catchThrowableOfType(
                HvException.class, () -> parse("faults:\n  - { at: 9s, kill: b }\n  - " + fault + "\n"));

        assertThat(refused.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
        Problem problem = refused.problems().getFirst();
        assertThat(problem.line()).isEqualTo(8);
        assertThat(problem.path()).isEqualTo(path.replace("faults.0", "faults.1"));
        assertThat(problem.text()).contains(what);
        if (hint != null) {
            assertThat(problem.hint()).contains(hint);
        }
    }
}
