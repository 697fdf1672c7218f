import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { describe, expect, test } from 'vitest'
import { certificate } from './certificate.ts'
import { findings, found, installation, testEveryFinding } from './findings.ts'
import { listening } from './listening.ts'

describe('the address of the service', () => {
  test.each([
    [200, /^ok The service is ready at /],
    [503, /^error The service at .* is not ready\. Its log says why\.$/],
    [404, /answers 404, which is no answer of Quoin\./],
  ])('is reported when its answer is %i', async (status, message) => {
    const server = createServer((_, response) => void response.writeHead(status).end())
    const QUOIN_BASE_URL = `http://127.0.0.1:${await listening(server)}`
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL }
    expect(await found('address', env, { network: true })).toEqual([expect.stringMatching(message)])
  })

  test('at which nothing listens is a warning', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL: `http://127.0.0.1:${port}` }
    expect(await found('address', env, { network: true })).toEqual([
      expect.stringMatching(/^warning No service answers at .*ECONNREFUSED.*Start it with quoin serve/),
    ])
  })

  test('with a certificate that browsers refuse is an error', async () => {
    const { cert, private: key } = await certificate('localhost', new Date())
    const server = createTlsServer({ cert, key }, (_, response) => void response.end())
    const QUOIN_BASE_URL = `https://localhost:${await listening(server)}`
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL, QUOIN_TRUST_PROXY: '127.0.0.1' }
    const all = await findings(env, { network: true })
    expect(all).toContainEqual(expect.objectContaining({ check: 'address', level: 'ok' }))
    expect(all).toContainEqual(
      expect.objectContaining({
        check: 'certificate',
        level: 'error',
        message: expect.stringMatching(/self.signed/),
      }),
    )
  })
})

describe('the domain of sites', () => {
  // Names of this top-level domain resolve to this machine, and those of the other never do.
  test('with a wildcard record is named with its address', async () => {
    expect(await sites('sites.localhost')).toEqual(['ok *.sites.localhost leads to 127.0.0.1.'])
  })

  test('without one is an error that says which record to enter', async () => {
    expect(await sites('sites.invalid')).toEqual([
      'error *.sites.invalid (QUOIN_SITES_DOMAIN) has no address. Enter a wildcard record *.sites.invalid at the DNS that leads to this service.',
    ])
  })

  const sites = async (QUOIN_SITES_DOMAIN: string) => {
    const data = await installation()
    const env = { QUOIN_DATA: data, QUOIN_BASE_URL: 'http://127.0.0.1:1', QUOIN_SITES_DOMAIN }
    return (await found('address', env, { network: true })).slice(1)
  }
})

testEveryFinding('addresses.ts')
