/** Parts of the HCA measured by JMH, each on one thread and without processes; what verbs take is {@code hv bench}'s. */
@NullMarked
package io.hyperverbs.lab.micro;

import org.jspecify.annotations.NullMarked;
