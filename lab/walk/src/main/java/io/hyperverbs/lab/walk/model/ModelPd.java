package io.hyperverbs.lab.walk.model;

/** A protection domain as the specification knows it. */
final class ModelPd extends ModelObject {
    ModelPd(int context) {
        super(context);
    }
}
