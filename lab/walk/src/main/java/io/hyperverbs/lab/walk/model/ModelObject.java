package io.hyperverbs.lab.walk.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something that a slot holds, and what it stands on. For one thread. */
abstract class ModelObject {
    private final int context;
    private final List<ModelObject> below = new ArrayList<>();

    /** How many others stand on it. */
    private int above;

    private boolean alive = true;

    /** @param context the slot of the context it lies in */
    ModelObject(int context) {
        this.context = context;
    }

    /**
     * In the context of its PD.
     *
     * @param more what it stands on besides; null where there is none
     */
    ModelObject(ModelPd pd, @Nullable ModelObject... more) {
        this.context = pd.context();
        below.add(pd);
        Stream.of(more).filter(Objects::nonNull).forEach(below::add);
        below.forEach(ModelObject::use);
    }

    /** The slot of the context it lies in. */
    public final int context() {
        return context;
    }

    public final boolean isAlive() {
        return alive;
    }

    /** Whether something else stands on it. */
    final boolean isUsed() {
        return above > 0;
    }

    /** Something more stands on it. */
    final void use() {
        above++;
    }

    /** One thing fewer stands on it. */
    final void release() {
        above--;
    }

    /** It is destroyed: what it stood on is free of it. */
    void end() {
        alive = false;
        below.forEach(ModelObject::release);
    }
}
