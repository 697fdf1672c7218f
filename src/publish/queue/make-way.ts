import { every } from '../../platform/every.ts'

/** Interval at which a batch looks for releases to be published before it. */
const LOOK_MS = 250

/**
 * Reason of a batch given up before any change: another release is awaited, or some of the batch were withdrawn. The
 * others stay claimed.
 */
export class MadeWay extends Error {}

/**
 * Runs the part of a batch before the first upload, and aborts it when the batch has to make way.
 *
 * @param signal aborts the work as well.
 * @param hasToMakeWay is asked until the work ends.
 * @param work receives the signal that aborts it, and rejects with the reason of that.
 */
export async function makingWay<T>(
  signal: AbortSignal,
  hasToMakeWay: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const looking = every(LOOK_MS, async () => {
    try {
      if (await hasToMakeWay()) controller.abort(new MadeWay())
    } catch (error) {
      controller.abort(error)
    }
  })
  try {
    return await work(AbortSignal.any([signal, controller.signal]))
  } finally {
    await looking.stop()
  }
}
