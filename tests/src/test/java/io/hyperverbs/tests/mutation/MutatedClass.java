package io.hyperverbs.tests.mutation;

/**
 * A class that PIT changes.
 *
 * @param name with its package
 */
record MutatedClass(Part part, String name) {
    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** With the classes inside it, and not those whose names begin alike. */
    String pattern() {
        return name + "," + name + "$*";
    }

    /** Its source, from the root of the tree. */
    String source() {
        return part.folder().getFileName() + "/src/main/java/" + name.replace('.', '/') + ".java";
    }
}
