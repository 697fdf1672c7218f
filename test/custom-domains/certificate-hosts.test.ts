import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { certificateHosts } from '../../src/custom-domains/certificate-hosts.ts'

test('the hosts of a certificate are its alternative names, and a wildcard is the name it is under', async () => {
  const names = ['API.quoin.host', '*.cdn.quoin.host'].map((value) => ({ type: 2 as const, value }))
  const address = { type: 7 as const, ip: '127.0.0.1' }
  const { cert } = await generate([{ name: 'commonName', value: 'ignored.quoin.host' }], {
    extensions: [{ name: 'subjectAltName', altNames: [address, ...names] }],
  })
  expect(certificateHosts(Buffer.from(cert))).toEqual(['api.quoin.host', 'cdn.quoin.host'])
})
