import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from '../../src/webhooks/addresses.ts'
import { send } from '../../src/webhooks/send.ts'
import { urlError } from '../../src/webhooks/target.ts'
import { startReceiver } from '../support/receiver.ts'

/** Hosts of private machines, in the spellings that an attacker may use. */
const PRIVATE_HOSTS = [
  // Loopback in every spelling that URLs allow.
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0x7F.0.0.1'],
  ...[
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '0177.0x0.1',
    '127.0.0.1.',
    '127.000.000.001',
    '%31%32%37.0.0.1',
  ],
  ...['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '0x7f.0x0.0x0.0x1'],
  // The unspecified address, and this network.
  ...['0', '0.0.0.0', '0.0', '0x0', '00', '0.1.2.3', '0.255.255.255'],
  // Private.
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '0xa.1',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '172.16.1',
  ],
  ...['192.168.0.1', '192.168.1', '3232235521', '0xc0a80001', '0300.0250.0.1'],
  // Carrier-grade NAT.
  ...['100.64.0.1', '100.127.255.255', '100.100.100.200', '1681915905'],
  // Link-local, which includes the metadata services of clouds.
  ...['169.254.169.254', '169.254.0.1', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...['168.63.129.16', '192.0.0.192', '192.0.0.1'],
  // Documentation, benchmarks, relays.
  ...['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255', '192.88.99.1'],
  // Multicast, reserved, broadcast.
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '0xffffffff', '4294967295'],
  // IPv6: unspecified, loopback, mapped IPv4.
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::127.0.0.1]'],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::ffff:10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[::ffff:0.0.0.0]', '[::ffff:8.8.8.8]'],
  // Translated: NAT64, its local prefix, 6to4, Teredo.
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::10.0.0.1]'],
  ...['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001::1]', '[2001:0:7f00:1::]', '[2001:10::1]', '[2001:20::1]'],
  // Link-local, unique local, site-local, multicast, discard, documentation, segment routing, and unassigned.
  ...[
    '[fe80::1]',
    '[fe80::a9fe:a9fe]',
    '[febf::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fdff:ffff::1]',
    '[fec0::1]',
  ],
  ...['[ff02::1]', '[ff05::2]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[4000::1]', '[1::1]'],
]

const RULES = { allowHttp: true, allowPrivate: false }

test('private and reserved addresses are refused in every spelling', () => {
  expect(PRIVATE_HOSTS.length).toBeGreaterThanOrEqual(100)
  const taken = PRIVATE_HOSTS.filter((host) => urlError(`http://${host}:8080/hooks`, RULES) === null)
  expect(taken).toEqual([])
})

test('public addresses are accepted, also next to private ranges', () => {
  const hosts = [
    ...['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.0', '172.15.255.255'],
    ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '100.63.255.255', '100.128.0.0', '169.253.255.255'],
    ...['169.255.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '192.0.1.0'],
    ...['[2606:4700:4700::1111]', '[2001:4860:4860::8888]', '[2003::1]', '[2a00:1450::1]'],
  ]
  expect(hosts.filter((host) => urlError(`https://${host}/`, RULES) !== null)).toEqual([])
  expect(['fe80::1%eth0', 'example.com', ''].filter(isPublicAddress)).toEqual([])
})

test('plain HTTP is accepted only if it is allowed', () => {
  const fault = urlError('http://example.com/', { allowHttp: false, allowPrivate: true })
  expect(fault).toBe('must begin with https://.')
})

test('no connection is made to a name that resolves to a private address, whatever it resolved to before', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const message = { url: new URL(`http://rebind.example:${port}/`), headers: {}, body: '{}' }
  const inside = [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['::1'], []]
  for (const addresses of inside) {
    const { status, failure: trouble } = await send(
      message,
      { rules: RULES, resolve: async () => addresses },
      new AbortController().signal,
    )
    expect([status, trouble]).toEqual([null, expect.stringMatching(/^rebind\.example (leads|has)/)])
  }
  expect(connections).toBe(0)
})

test('the connection goes to the address that was checked, without another lookup', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const url = new URL(receiver.url)
  url.hostname = 'rebind.example'
  let asked = 0
  const received = await send(
    { url, headers: {}, body: '{}' },
    {
      rules: { allowHttp: true, allowPrivate: true },
      resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']),
    },
    new AbortController().signal,
  )
  expect([received.status, asked]).toEqual([204, 1])
  expect(receiver.got[0]?.headers.host).toBe(`rebind.example:${url.port}`)
})
