const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const PARENT_POLL_MS = 250

/**
 * Resolves at the first signal to stop; the next one exits immediately. npx and npm run pass no signal on, so the end of
 * the npm process that runs this one counts as a signal.
 */
export async function stopSignal(): Promise<void> {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  for (const signal of SIGNALS) process.once(signal, stop)
  const parent = process.ppid
  const isRunByNpm = process.env['npm_lifecycle_event'] !== undefined
  const watch = isRunByNpm ? setInterval(() => process.ppid !== parent && stop(), PARENT_POLL_MS) : null
  await stopped
  if (watch !== null) clearInterval(watch)
  for (const signal of SIGNALS) process.off(signal, stop).once(signal, () => process.exit(1))
}
