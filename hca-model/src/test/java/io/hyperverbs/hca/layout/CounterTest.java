package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of counters: the kernel's where it has one, and ours only for what it does not count. */
class CounterTest {
    /** {@code hw_counters} of mlx5_ib, and {@code counters} of every InfiniBand port. */
    private static final Set<String> OF_THE_KERNEL = Set.of(
            "rx_write_requests",
            "rx_read_requests",
            "rx_atomic_requests",
            "out_of_buffer",
            "out_of_sequence",
            "rnr_nak_retry_err",
            "local_ack_timeout_err",
            "resp_local_length_error",
            "resp_cqe_error",
            "req_cqe_error",
            "req_remote_invalid_request",
            "req_remote_access_errors",
            "resp_remote_access_errors",
            "resp_cqe_flush_error",
            "req_cqe_flush_error",
            "req_transport_retries_exceeded",
            "req_rnr_retries_exceeded",
            "port_xmit_data",
            "port_xmit_packets",
            "packet_seq_err",
            "implied_nak_seq_err",
            "duplicate_request",
            "rx_icrc_encapsulated",
            "np_cnp_sent",
            "np_ecn_marked_roce_packets",
            "rp_cnp_handled");

    private static final List<String> OURS = List.of(
            "rx_send_requests",
            "unconnected_requests",
            "unknown_doorbells",
            "ring_overruns",
            "cq_overruns",
            "engine_faults",
            "events_dropped",
            "modify_refused",
            "bad_pkeys",
            "rx_dropped_messages",
            "key_lockouts",
            "rx_dropped_packets",
            "retransmitted_packets",
            "link_down_drops",
            "link_losses",
            "link_queue_drops",
            "link_delay_drops",
            "link_duplicates",
            "link_corruptions",
            "link_reorderings",
            "link_marks");

    @Test
    void namesAreTheKernelsOrSaidToBeOurs() {
        assertThat(Arrays.stream(Counter.values()).map(Counter::text))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(OF_THE_KERNEL.stream(), OURS.stream()).toList());
    }
}
