package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.ProgramExit;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * What {@code System.exit}, {@code Runtime.exit} and {@code Runtime.halt} are for a program that
 * shares its process with others: the end of that program alone. Its classes are changed when they
 * are loaded, calls and method references alike; calls by reflection still end the domain. Shutdown
 * hooks are the domain's, and do not run. Any thread.
 */
public final class ExitCalls {
    private static final int CODES = 0xff;
    private static final ClassDesc SELF = ClassDesc.of(ExitCalls.class.getName());
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static final MethodTypeDesc OF_CODE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc OF_RUNTIME =
            MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME, ConstantDescs.CD_int);

    private ExitCalls() {}

    /** In place of {@link System#exit}: does not return. */
    public static void exit(int code) {
        ProgramThreads program = ProgramThreads.current();
        if (program != null) {
            program.exit(code & CODES);
        }
        throw new ProgramExit(code & CODES);
    }

    /** In place of {@link Runtime#exit} and {@link Runtime#halt}: does not return. */
    public static void exit(Runtime runtime, int code) {
        exit(code);
    }

    /** The class with such calls replaced; the same bytes if it has none. */
    static byte[] replace(byte[] bytes, ClassHierarchyResolver hierarchy) {
        ClassFile format = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
        ClassModel model = format.parse(bytes);
        boolean has = false;
        for (PoolEntry entry : model.constantPool()) {
            has |= entry instanceof MethodRefEntry method && ends(method);
        }
        CodeTransform calls = (builder, element) -> {
            CodeElement changed = element;
            if (element instanceof InvokeInstruction call
                    && call.method() instanceof MethodRefEntry method
                    && ends(method)) {
                builder.invokestatic(SELF, "exit", ofOwner(method.owner().asSymbol()));
            } else if (element instanceof InvokeDynamicInstruction call) {
                builder.invokedynamic(replaced(call));
            } else {
                builder.with(changed);
            }
        };
        return has ? format.transformClass(model, ClassTransform.transformingMethodBodies(calls)) : bytes;
    }

    private static boolean ends(MethodRefEntry method) {
        return ends(
                method.owner().asSymbol(),
                method.name().stringValue(),
                method.type().stringValue());
    }

    private static boolean ends(ClassDesc owner, String name, String type) {
        boolean runtime = owner.equals(RUNTIME);
        return type.equals("(I)V")
                && (runtime || owner.descriptorString().equals("Ljava/lang/System;"))
                && (name.equals("exit") || (runtime && name.equals("halt")));
    }

    private static MethodTypeDesc ofOwner(ClassDesc owner) {
        return owner.equals(RUNTIME) ? OF_RUNTIME : OF_CODE;
    }

    private static DynamicCallSiteDesc replaced(InvokeDynamicInstruction call) {
        ConstantDesc[] args = call.bootstrapArgs().toArray(ConstantDesc[]::new);
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof DirectMethodHandleDesc handle
                    && ends(handle.owner(), handle.methodName(), handle.lookupDescriptor())) {
                args[i] = MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC, SELF, "exit", ofOwner(handle.owner()));
            }
        }
        return DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(), args);
    }
}
