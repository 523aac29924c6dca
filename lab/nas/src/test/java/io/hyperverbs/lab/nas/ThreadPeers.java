package io.hyperverbs.lab.nas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that are threads: each shows the others its array, and they take what they need of it. */
final class ThreadPeers implements RankPeers {
    private static final int DEADLINE_SECONDS = 60;

    private final Shared shared;
    private final int rank;

    private record Shared(CyclicBarrier barrier, Object[] shown) {}

    private ThreadPeers(Shared shared, int rank) {
        this.shared = shared;
        this.rank = rank;
    }

    interface Work<T> {
        T run(RankPeers peers) throws Exception;
    }

    /** @return the results by rank */
    static <T> List<T> run(int ranks, Work<T> work) throws Exception {
        Shared shared = new Shared(new CyclicBarrier(ranks), new Object[ranks]);
        List<Callable<T>> calls = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            RankPeers peers = new ThreadPeers(shared, rank);
            calls.add(() -> work.run(peers));
        }
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (Future<T> future : threads.invokeAll(calls)) {
                results.add(future.get());
            }
        }
        return results;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return shared.shown.length;
    }

    @Override
    public void sum(double[] values) {
        show(values.clone());
        for (int i = 0; i < values.length; i++) {
            values[i] = 0;
            for (Object other : shared.shown) {
                values[i] += ((double[]) other)[i];
            }
        }
        await();
    }

    @Override
    public void sum(int[] values) {
        show(values.clone());
        for (int i = 0; i < values.length; i++) {
            values[i] = 0;
            for (Object other : shared.shown) {
                values[i] += ((int[]) other)[i];
            }
        }
        await();
    }

    @Override
    public void allGather(double[] mine, double[] all) {
        show(mine);
        for (int other = 0; other < size(); other++) {
            System.arraycopy(shared.shown[other], 0, all, other * mine.length, mine.length);
        }
        await();
    }

    @Override
    public void allToAll(double[] send, double[] receive) {
        show(send);
        int block = send.length / size();
        for (int other = 0; other < size(); other++) {
            System.arraycopy(shared.shown[other], rank * block, receive, other * block, block);
        }
        await();
    }

    private record Blocks(int[] send, int[] counts) {
        int[] to(int rank) {
            int before = 0;
            for (int i = 0; i < rank; i++) {
                before += counts[i];
            }
            return Arrays.copyOfRange(send, before, before + counts[rank]);
        }
    }

    @Override
    public int[] allToAllv(int[] send, int[] counts) {
        show(new Blocks(send, counts));
        int[] all = {};
        for (Object other : shared.shown) {
            int[] block = ((Blocks) other).to(rank);
            int before = all.length;
            all = Arrays.copyOf(all, before + block.length);
            System.arraycopy(block, 0, all, before, block.length);
        }
        await();
        return all;
    }

    @Override
    public void shift(double[] send, int to, double[] receive, int from) {
        show(send);
        System.arraycopy(shared.shown[from], 0, receive, 0, receive.length);
        await();
    }

    private void show(Object array) {
        shared.shown[rank] = array;
        await();
    }

    private void await() {
        try {
            shared.barrier.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("a rank is missing", e);
        }
    }
}
