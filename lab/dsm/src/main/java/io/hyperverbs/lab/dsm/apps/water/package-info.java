/**
 * Molecular dynamics of water, with forces added under a lock for each molecule ({@link
 * io.hyperverbs.lab.dsm.apps.water.WaterApplication}). Lengths are in angstroms, masses in atomic units, energies in
 * kJ/mol, and so times in tenths of a picosecond. One thread for each node.
 */
@NullMarked
package io.hyperverbs.lab.dsm.apps.water;

import org.jspecify.annotations.NullMarked;
