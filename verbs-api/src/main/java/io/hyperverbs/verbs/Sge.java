package io.hyperverbs.verbs;

/** A range of local memory in a work request ({@code ibv_sge}). */
public record Sge(long address, int lengthBytes, int lkey) {}
