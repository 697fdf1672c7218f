import { expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { fuzz } from './fuzz.ts'

/* A short run with every test run; `npm run fuzz` makes a long one. */

const requests = Number(process.env['QUOIN_FUZZ_REQUESTS'] ?? runs(2000))
const seed = Number(process.env['QUOIN_FUZZ_SEED'] ?? 1)
const concurrency = Number(process.env['QUOIN_FUZZ_CONCURRENCY'] ?? 16)

test(`${requests} requests made from the API's description, seed ${seed}`, { timeout: 0 }, async () => {
  const { statuses, findings, seconds } = await fuzz({
    seed,
    requests,
    concurrency,
    progress: (done) => process.stderr.write(`${done} of ${requests} requests\n`),
  })
  console.log(`${requests} requests in ${seconds.toFixed(1)} s: ${JSON.stringify(statuses)}`)
  expect(
    findings.map(({ fault, times, request, answer }) => [`${fault} (${times} times)`, request, answer]),
  ).toEqual([])
  // The requests reach what they are made for, and what refuses them.
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '201', '401', '403', '404', '409', '422']),
  )
})
