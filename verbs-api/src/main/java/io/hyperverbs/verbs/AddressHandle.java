package io.hyperverbs.verbs;

/** Where datagrams go, known to the HCA ({@code ibv_ah}). Any thread. */
public interface AddressHandle extends VerbsObject {
    ProtectionDomain pd();

    /** What work requests name it by; means something only to queue pairs of {@link #pd}. */
    int number();

    AddressAttributes attributes();
}
