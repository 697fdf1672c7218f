import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public: IANA's special-purpose registry, multicast, and addresses of cloud services. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform address, reachable from every machine there.
  '168.63.129.16/32',
] as const

/** The globally routed part of IPv6. */
const GLOBAL_V6 = '2000::/3'

/** Parts of it that are not public or lead to IPv4: Teredo, ORCHID, documentation, 6to4. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'] as const

const specialV4 = listOf(SPECIAL_V4, 'ipv4')
const globalV6 = listOf([GLOBAL_V6], 'ipv6')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')

/** Reports whether the address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialV4.check(address, 'ipv4')
  // A zone names an interface of this machine.
  if (family !== 6 || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
