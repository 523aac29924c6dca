package io.hyperverbs.verbs;

/** A piece of local memory in a work request ({@code ibv_sge}). */
public record Sge(long address, int lengthBytes, int lkey) {}
