package io.hyperverbs.lab.nas;

import java.util.Arrays;

/**
 * The right side of MG: 1 at the ten points with the highest random numbers, -1 at the ten with the lowest, else 0
 * (RNR-94-007, section 3.2). Each rank draws the numbers of its planes; the ranks compare the ten of each.
 */
final class MgCharges {
    private static final int COUNT = 10;

    /** The highest numbers so far, the lowest of them first, times the sign; and their points. */
    private final double[] values = new double[COUNT];

    private final double[] places = new double[COUNT];
    private final int sign;

    private MgCharges(int sign) {
        this.sign = sign;
        Arrays.fill(values, Double.NEGATIVE_INFINITY);
    }

    static void place(MgGrid right, RankPeers peers) {
        MgCharges highest = new MgCharges(1);
        MgCharges lowest = new MgCharges(-1);
        NasRandom random = new NasRandom(NasRandom.SEED);
        int perPlane = right.size * right.size;
        random.skip((long) perPlane * right.firstPlane);
        for (int point = 0; point < right.planes * perPlane; point++) {
            double number = random.next();
            double place = (double) right.firstPlane * perPlane + point;
            highest.offer(number, place);
            lowest.offer(number, place);
        }
        right.clear();
        highest.compare(peers).write(right);
        lowest.compare(peers).write(right);
        right.copyEdges();
    }

    private void offer(double number, double place) {
        double value = sign * number;
        if (value > values[0]) {
            int at = 0;
            while (at + 1 < COUNT && values[at + 1] < value) {
                values[at] = values[at + 1];
                places[at] = places[at + 1];
                at++;
            }
            values[at] = value;
            places[at] = place;
        }
    }

    /** @return those of all ranks */
    private MgCharges compare(RankPeers peers) {
        double[] allValues = new double[COUNT * peers.size()];
        double[] allPlaces = new double[COUNT * peers.size()];
        peers.allGather(values, allValues);
        peers.allGather(places, allPlaces);
        MgCharges all = new MgCharges(sign);
        for (int i = 0; i < allValues.length; i++) {
            all.offer(sign * allValues[i], allPlaces[i]);
        }
        return all;
    }

    private void write(MgGrid right) {
        int perPlane = right.size * right.size;
        for (double place : places) {
            int z = (int) (place / perPlane) - right.firstPlane;
            int inPlane = (int) (place % perPlane);
            if (z >= 0 && z < right.planes) {
                right.points[right.row(z + 1, inPlane / right.size + 1) + inPlane % right.size + 1] = sign;
            }
        }
    }
}
