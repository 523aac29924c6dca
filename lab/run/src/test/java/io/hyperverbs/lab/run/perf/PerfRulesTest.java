package io.hyperverbs.lab.run.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.QpType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfRulesTest {
    /** For each option, in which of the eight tests of perftest it means something: latency, then bandwidth. */
    @ParameterizedTest
    @CsvSource({
        "-a,             send write read,       send write read",
        "-s,             send write read,       send write read",
        "-n,             send write read fetch-add, send write read fetch-add",
        "-D,             send write read fetch-add, send write read fetch-add",
        "-q,             '',                    send write read fetch-add",
        "-t,             '',                    send write read fetch-add",
        "-r,             send,                  send",
        "-l,             '',                    send write read fetch-add",
        "-Q,             '',                    send write read fetch-add",
        "-I,             send write,            send write",
        "-e,             send read fetch-add,   send read fetch-add",
        "-b,             '',                    send write read fetch-add",
        "-N,             '',                    send write read fetch-add",
        "--use-srq,      send,                  send",
        "--report_gbits, '',                    send write read fetch-add",
    })
    void eachOptionGoesWithTheVerbsThatPerftestHasItFor(String option, String latency, String bandwidth) {
        for (BenchVerb verb : BenchVerb.values()) {
            assertThat(isLegal(true, verb, QpType.RC, option))
                    .as("lat %s %s", verb, option)
                    .isEqualTo(words(latency).contains(verb.word()));
            assertThat(isLegal(false, verb, QpType.RC, option))
                    .as("bw %s %s", verb, option)
                    .isEqualTo(words(bandwidth).contains(verb.word()));
        }
    }

    @ParameterizedTest
    @CsvSource({"RC, send write read fetch-add", "UC, send write", "UD, send", "XRC_SEND, ''"})
    void eachTransportHasItsVerbs(QpType transport, String verbs) {
        for (BenchVerb verb : BenchVerb.values()) {
            assertThat(isLegal(true, verb, transport))
                    .as("%s over %s", verb, transport)
                    .isEqualTo(words(verbs).contains(verb.word()));
        }
    }

    @Test
    void refusalsSayWhatIsWrongAndWhatGoes() {
        assertThatThrownBy(() -> PerfRules.check(true, BenchVerb.READ, QpType.UC, List.of()))
                .isInstanceOfSatisfying(
                        HvException.class, failure -> assertThat(failure.exit()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("-c UC has no read");
        assertThatThrownBy(() -> PerfRules.check(true, BenchVerb.READ, QpType.RC, List.of("-q")))
                .hasMessageContaining("-q is not supported by lat");
        assertThatThrownBy(() -> PerfRules.check(false, BenchVerb.WRITE, QpType.RC, List.of("-e")))
                .hasMessageContaining("-e is not supported with --verb write");
    }

    @Test
    void someOptionsExcludeEachOther() {
        assertThat(isLegal(false, BenchVerb.SEND, QpType.RC, "-a", "-s")).isFalse();
        assertThat(isLegal(false, BenchVerb.SEND, QpType.RC, "-n", "-D")).isFalse();
        assertThat(isLegal(false, BenchVerb.SEND, QpType.UD, "--use-srq")).isFalse();
        assertThat(isLegal(false, BenchVerb.SEND, QpType.RC, "-s", "-D", "--use-srq"))
                .isTrue();
    }

    private static boolean isLegal(boolean latency, BenchVerb verb, QpType transport, String... given) {
        try {
            PerfRules.check(latency, verb, transport, List.of(given));
            return true;
        } catch (HvException e) {
            return false;
        }
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" "));
    }
}
