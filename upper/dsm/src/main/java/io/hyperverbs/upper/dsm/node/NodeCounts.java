package io.hyperverbs.upper.dsm.node;

/**
 * What one node did, since it joined.
 *
 * @param readFaults loads without a copy
 * @param writeFaults stores without the only copy
 * @param messages sent to other nodes
 * @param copies of minipages sent to other nodes
 * @param copiedBytes in them
 * @param fetches of minipages by RDMA read
 * @param fetchedBytes in them
 */
public record NodeCounts(
        long readFaults,
        long writeFaults,
        long messages,
        long copies,
        long copiedBytes,
        long fetches,
        long fetchedBytes) {}
