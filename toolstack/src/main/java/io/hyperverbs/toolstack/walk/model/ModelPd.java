package io.hyperverbs.toolstack.walk.model;

/** A protection domain as the specification knows it. */
final class ModelPd {
    final int context;
    int children;

    ModelPd(int context) {
        this.context = context;
    }
}
