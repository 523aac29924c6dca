/**
 * Executables of the computer that run in the guest: started by a shell within the sandbox, their verbs taken at a Unix
 * socket inside the guest and passed on to the backend, each kept to its own objects and its own memory.
 */
@NullMarked
package io.hyperverbs.frontend.executable;

import org.jspecify.annotations.NullMarked;
