package io.hyperverbs.lab.nas;

import java.util.Arrays;

/**
 * A block of rows of CG's matrix: the sum of n outer products of sparse random vectors, weighted down to the tenth part,
 * and a tenth less the shift on the diagonal (RNR-94-007, section 3.3). Each rank draws all vectors, as the sequence of
 * random numbers cannot be entered in the middle, and keeps its rows.
 */
final class CgMatrix {
    private static final double CONDITION = 0.1;
    private static final double OWN_ELEMENT = 0.5;

    private final int order;
    private final int firstRow;

    /** One place for each nonzero of a drawn vector and for the element that it always has. */
    private final int places;

    /** Vector after vector: positions, -1 where there are fewer, and values. */
    private final int[] drawnColumns;

    private final double[] drawnValues;

    /** Row r has the elements from starts[r] to starts[r + 1]. */
    private final int[] starts;

    private final int[] columns;
    private final double[] values;

    CgMatrix(int order, int nonzeros, double shift, int firstRow, int endRow) {
        this.order = order;
        this.firstRow = firstRow;
        places = nonzeros + 1;
        drawnColumns = new int[order * places];
        drawnValues = new double[order * places];
        draw(nonzeros);
        starts = new int[endRow - firstRow + 1];
        int[] vectorStarts = new int[endRow - firstRow + 1];
        int[] vectors = vectorsOfRows(vectorStarts);
        // As many as there can be: two vectors seldom meet in more than a row.
        columns = new int[vectors.length * places + starts.length];
        values = new double[columns.length];
        fill(vectorStarts, vectors, CONDITION - shift);
    }

    private void draw(int nonzeros) {
        NasRandom random = new NasRandom(NasRandom.SEED);
        // The first number is not used.
        random.next();
        int range = Integer.highestOneBit(order - 1) << 1;
        int[] lastVector = new int[order];
        Arrays.fill(drawnColumns, -1);
        for (int vector = 0; vector < order; vector++) {
            int base = vector * places;
            boolean hasOwn = false;
            for (int drawn = 0; drawn < nonzeros; ) {
                double value = random.next();
                int column = (int) (range * random.next());
                if (column < order && lastVector[column] != vector + 1) {
                    lastVector[column] = vector + 1;
                    drawnColumns[base + drawn] = column;
                    drawnValues[base + drawn] = column == vector ? OWN_ELEMENT : value;
                    hasOwn |= column == vector;
                    drawn++;
                }
            }
            if (!hasOwn) {
                drawnColumns[base + nonzeros] = vector;
                drawnValues[base + nonzeros] = OWN_ELEMENT;
            }
        }
    }

    /** @return places in the drawn vectors, by the row that they add to; row r has those from starts[r] on */
    private int[] vectorsOfRows(int[] begins) {
        int rows = begins.length - 1;
        for (int column : drawnColumns) {
            if (isOwn(column)) {
                begins[column - firstRow + 1]++;
            }
        }
        for (int row = 0; row < rows; row++) {
            begins[row + 1] += begins[row];
        }
        int[] next = Arrays.copyOf(begins, rows);
        int[] found = new int[begins[rows]];
        for (int place = 0; place < drawnColumns.length; place++) {
            if (isOwn(drawnColumns[place])) {
                found[next[drawnColumns[place] - firstRow]++] = place;
            }
        }
        return found;
    }

    private boolean isOwn(int row) {
        return row >= firstRow && row < firstRow + starts.length - 1;
    }

    private void fill(int[] vectorStarts, int[] vectors, double diagonal) {
        double[] sums = new double[order];
        boolean[] isThere = new boolean[order];
        int end = 0;
        for (int row = 0; row < starts.length - 1; row++) {
            int begin = end;
            columns[end++] = firstRow + row;
            isThere[firstRow + row] = true;
            sums[firstRow + row] = diagonal;
            for (int i = vectorStarts[row]; i < vectorStarts[row + 1]; i++) {
                int base = vectors[i] / places * places;
                double factor = weight(vectors[i] / places) * drawnValues[vectors[i]];
                for (int place = base; place < base + places; place++) {
                    int column = drawnColumns[place];
                    if (column >= 0) {
                        if (!isThere[column]) {
                            isThere[column] = true;
                            columns[end++] = column;
                        }
                        sums[column] += factor * drawnValues[place];
                    }
                }
            }
            Arrays.sort(columns, begin, end);
            for (int i = begin; i < end; i++) {
                values[i] = sums[columns[i]];
                sums[columns[i]] = 0;
                isThere[columns[i]] = false;
            }
            starts[row + 1] = end;
        }
    }

    private double weight(int vector) {
        return Math.pow(CONDITION, (double) vector / order);
    }

    /** @param product gets this block's rows of matrix times vector */
    void multiply(double[] vector, double[] product) {
        for (int row = 0; row < starts.length - 1; row++) {
            double sum = 0;
            for (int i = starts[row]; i < starts[row + 1]; i++) {
                sum += values[i] * vector[columns[i]];
            }
            product[row] = sum;
        }
    }
}
