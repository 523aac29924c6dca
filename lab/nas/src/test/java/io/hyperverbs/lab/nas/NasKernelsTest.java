package io.hyperverbs.lab.nas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels find the published values, alone and with their work spread over ranks. */
class NasKernelsTest {
    @ParameterizedTest
    @ValueSource(strings = {"EP", "IS", "CG", "FT", "MG"})
    void verifiesClassSAlone(String kernel) {
        NasResult result = run(kernel, "S", new AlonePeers());

        assertThat(result.checks()).isNotEmpty().allMatch(NasResult.Check::holds);
    }

    @ParameterizedTest
    @CsvSource({"EP, 3", "IS, 3", "IS, 4", "CG, 3", "CG, 4", "FT, 4", "MG, 4", "MG, 16"})
    void verifiesClassSInSeveralRanks(String kernel, int ranks) throws Exception {
        var results = ThreadPeers.run(ranks, peers -> run(kernel, "S", peers));

        assertThat(results)
                .hasSize(ranks)
                .allSatisfy(result -> assertThat(result.checks()).allMatch(NasResult.Check::holds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"IS", "CG", "FT", "MG"})
    void verifiesClassWAlone(String kernel) {
        assertThat(run(kernel, "W", new AlonePeers()).checks()).allMatch(NasResult.Check::holds);
    }

    private static NasResult run(String kernel, String problem, RankPeers peers) {
        NasJob job = NasJob.of(new String[] {kernel, problem});
        KernelRounds.Outcome outcome = job.run(peers);
        NasResult result = outcome.results().getFirst();
        if (peers.rank() == 0) {
            System.out.println(job.report(outcome, peers.size()) + result.checks());
        }
        return result;
    }
}
