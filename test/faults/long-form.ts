/** Settings of `npm run faults`; null in `npm test`, which runs the short forms. */
export const LONG = process.env['QUOIN_FAULTS_RUNS'] === undefined ? null : asked()

/** The first of the seeds that chance is drawn from. */
export const SEED = number('SEED', 1)

export const LONG_TIMEOUT_MS = 3 * 60 * 60 * 1000

function asked() {
  return {
    /** Deaths at each named point. */
    runs: number('RUNS', 20),
    /** Deaths at random moments. */
    kills: number('KILLS', 300),
    /** Services that die side by side: most of the time they wait for a lease to stand still. */
    atOnce: number('AT_ONCE', 8),
  }
}

function number(name: string, otherwise: number): number {
  return Number(process.env[`QUOIN_FAULTS_${name}`] ?? otherwise)
}
