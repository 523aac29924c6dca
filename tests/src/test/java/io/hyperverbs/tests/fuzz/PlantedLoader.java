package io.hyperverbs.tests.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Our classes once more, with one mistake woven into all of them. */
final class PlantedLoader extends ClassLoader {
    private static final String OURS = "io.hyperverbs.";
    private static final Class<?> MISTAKES = PlantedFault.Mistakes.class;

    private final String owner;
    private final String method;
    private int calls;

    PlantedLoader(PlantedFault fault) {
        super(PlantedLoader.class.getClassLoader());
        owner = fault.owner.getName().replace('.', '/');
        method = fault.method;
    }

    /** How many calls lead to the mistake. */
    int calls() {
        return calls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null || !name.startsWith(OURS)) {
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                byte[] woven = name.equals(MISTAKES.getName()) ? bytes : weave(bytes);
                return defineClass(name, woven, 0, woven.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private byte[] weave(byte[] original) {
        ClassFile files = ClassFile.of();
        CodeTransform redirect = (code, element) -> {
            if (element instanceof InvokeInstruction call && isIt(call)) {
                calls++;
                MethodTypeDesc type = call.typeSymbol();
                code.invokestatic(
                        ClassDesc.of(MISTAKES.getName()),
                        method,
                        call.opcode() == Opcode.INVOKESTATIC
                                ? type
                                : type.insertParameterTypes(0, call.owner().asSymbol()));
            } else {
                code.with(element);
            }
        };
        return files.transformClass(files.parse(original), ClassTransform.transformingMethodBodies(redirect));
    }

    private boolean isIt(InvokeInstruction call) {
        return call.owner().asInternalName().equals(owner) && call.name().equalsString(method);
    }
}
