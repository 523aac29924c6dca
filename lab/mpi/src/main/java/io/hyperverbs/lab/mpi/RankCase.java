package io.hyperverbs.lab.mpi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A rule of MPI that a method shows, which all ranks call. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface RankCase {
    /** Its place in the standard. */
    String value();
}
