import { expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { fuzz } from './fuzz.ts'

/* A short run. `npm run fuzz` starts a long one. */

const requests = Number(process.env['QUOIN_FUZZ_REQUESTS'] ?? runs(2000))
const seed = Number(process.env['QUOIN_FUZZ_SEED'] ?? 1)
const concurrency = Number(process.env['QUOIN_FUZZ_CONCURRENCY'] ?? 16)

test(`${requests} requests generated from the API's description, seed ${seed}`, { timeout: 0 }, async () => {
  const { statuses, findings, seconds } = await fuzz({
    seed,
    requests,
    concurrency,
    progress: (done) => process.stderr.write(`${done} of ${requests} requests\n`),
  })
  console.log(`${requests} requests in ${seconds.toFixed(1)} s: ${JSON.stringify(statuses)}`)
  expect(
    findings.map(({ violation, times, request, answer }) => [
      `${violation} (${times} times)`,
      request,
      answer,
    ]),
  ).toEqual([])
  // The requests reach success as well as every kind of refusal. A 409 is rare: it needs two requests for one page at once.
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '201', '401', '403', '404', '422', ...(requests >= 2000 ? ['409'] : [])]),
  )
})
