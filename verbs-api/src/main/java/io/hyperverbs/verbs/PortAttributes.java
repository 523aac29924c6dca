package io.hyperverbs.verbs;

/** A port of the HCA ({@code ibv_port_attr}); MTUs in bytes. */
public record PortAttributes(
        boolean active,
        int maxMtuBytes,
        int activeMtuBytes,
        int lid,
        long gidPrefix,
        long gidInterface,
        int pkey) {}
