import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { clientAddress } from '../../src/http/client-address.ts'
import { parseIpRanges } from '../../src/platform/ip-ranges.ts'

const PROXIES = ['192.0.2.1', '10.0.0.0/8', '2001:db8:aa::/48']

describe('the client’s address', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (peer, counted) => {
    expect(addressOf(peer, null)).toBe(counted)
  })

  test.each([
    ['is the peer when nothing was forwarded', '192.0.2.1', null, '192.0.2.1'],
    ['is the hop before a trusted proxy', '192.0.2.1', '198.51.100.7', '198.51.100.7'],
    ['is the hop before a chain of them', '192.0.2.1', '198.51.100.7, 10.1.1.1,10.2.2.2', '198.51.100.7'],
    ['is not what the client claims', '192.0.2.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['is the peer when that is no proxy', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['is the proxy when it forwards no address', '192.0.2.1', '198.51.100.7, unknown', '192.0.2.1'],
    ['is the first hop when all are proxies', '192.0.2.1', '10.3.3.3, 10.1.1.1', '10.3.3.3'],
    ['may be IPv6 behind a proxy in IPv6', '2001:db8:aa::1', '2001:db8:bb:cc::7', '2001:db8:bb:cc::/64'],
    ['is found behind a proxy that is mapped into IPv6', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ])('%s', (_, peer, forwarded, counted) => {
    expect(addressOf(peer, forwarded)).toBe(counted)
  })

  test('is one for a whole /64, and another for the next', () => {
    const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
    // Not where IPv4 is mapped into.
    const network = half.filter(([first = 0]) => first > 0)
    const text = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
    fc.assert(
      fc.property(network, half, half, ([a = 1, b = 0, c = 0, d = 0], one, other) => {
        const address = (host: readonly number[]) => addressOf(text([a, b, c, d, ...host]), null)
        expect(address(one)).toBe(address(other))
        expect(addressOf(text([a, b, c, d ^ 1, ...one]), null)).not.toBe(address(one))
      }),
    )
  })

  test('is found in any header without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (forwarded) => {
        expect(addressOf('192.0.2.1', forwarded)).toMatch(/^[\d.]+$|^[\da-f:]+\/64$/)
      }),
    )
  })
})

function addressOf(peer: string, forwarded: string | null): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== null) request.headers = { 'x-forwarded-for': forwarded }
  return clientAddress(new Koa().createContext(request, new ServerResponse(request)), parseIpRanges(PROXIES))
}
