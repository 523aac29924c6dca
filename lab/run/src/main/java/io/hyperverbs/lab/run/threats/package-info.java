/**
 * The list of threats: what an attacker must not achieve, and what shows that it does not. The list
 * itself lies beside these classes as YAML, a file for each letter.
 */
@NullMarked
package io.hyperverbs.lab.run.threats;

import org.jspecify.annotations.NullMarked;
