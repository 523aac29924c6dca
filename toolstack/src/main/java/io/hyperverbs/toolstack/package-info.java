/** The {@code hv} command: topologies, benchmarks, attacks and reports. */
package io.hyperverbs.toolstack;
