package io.hyperverbs.vmm.hypercall;

/**
 * Where a domain of the machine is.
 *
 * @param domain its id
 * @param hca name of the HCA that it is on
 */
public record DomainPlace(int domain, String hca) {}
