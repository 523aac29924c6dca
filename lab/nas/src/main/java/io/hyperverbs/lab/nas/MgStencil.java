package io.hyperverbs.lab.nas;

/**
 * Weighted sums of a point and its 26 neighbours, where those that touch at a face, an edge and a corner have one weight
 * each (RNR-94-007, section 3.2). Row by row: sums over the four rows that touch at a face and the four that touch at an
 * edge serve three points each.
 */
final class MgStencil {
    private final double own;
    private final double face;
    private final double edge;
    private final double corner;
    private final double[] faceRows;
    private final double[] edgeRows;
    private final double[] sums;

    /** @param largest size of grids */
    MgStencil(double own, double face, double edge, double corner, int largest) {
        this.own = own;
        this.face = face;
        this.edge = edge;
        this.corner = corner;
        faceRows = new double[largest + 2];
        edgeRows = new double[largest + 2];
        sums = new double[largest + 2];
    }

    /** @return the sum for each point of the row, valid until the next call */
    double[] row(MgGrid grid, int z, int y) {
        double[] points = grid.points;
        int here = grid.row(z, y);
        int width = grid.size + 2;
        int plane = grid.plane();
        for (int x = here; x < here + width; x++) {
            faceRows[x - here] = points[x - width] + points[x + width] + points[x - plane] + points[x + plane];
            edgeRows[x - here] = points[x - plane - width]
                    + points[x - plane + width]
                    + points[x + plane - width]
                    + points[x + plane + width];
        }
        for (int x = 1; x <= grid.size; x++) {
            double faces = points[here + x - 1] + points[here + x + 1] + faceRows[x];
            double edges = faceRows[x - 1] + faceRows[x + 1] + edgeRows[x];
            double corners = edgeRows[x - 1] + edgeRows[x + 1];
            sums[x] = own * points[here + x] + face * faces + edge * edges + corner * corners;
        }
        return sums;
    }
}
