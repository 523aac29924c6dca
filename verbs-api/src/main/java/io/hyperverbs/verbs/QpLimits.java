package io.hyperverbs.verbs;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}) and whether each send completes visibly.
 *
 * @param sendWr send requests outstanding, from 1
 * @param receiveWr receive requests outstanding, from 0
 * @param sendSge SGEs per send request, from 1
 * @param receiveSge SGEs per receive request, from 1
 * @param inlineBytes largest inline payload
 * @param allSignalled {@code sq_sig_all}: every send request writes a completion
 */
public record QpLimits(int sendWr, int receiveWr, int sendSge, int receiveSge, int inlineBytes, boolean allSignalled) {

    /** One SGE per request, 64 bytes inline, completions for signalled requests only. */
    public static QpLimits of(int sendWr, int receiveWr) {
        return new QpLimits(sendWr, receiveWr, 1, 1, 64, false);
    }

    public QpLimits withSge(int sendSge, int receiveSge) {
        return new QpLimits(sendWr, receiveWr, sendSge, receiveSge, inlineBytes, allSignalled);
    }

    public QpLimits withInlineBytes(int inlineBytes) {
        return new QpLimits(sendWr, receiveWr, sendSge, receiveSge, inlineBytes, allSignalled);
    }

    public QpLimits withAllSignalled() {
        return new QpLimits(sendWr, receiveWr, sendSge, receiveSge, inlineBytes, true);
    }
}
