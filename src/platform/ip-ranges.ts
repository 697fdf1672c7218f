import { BlockList, isIP } from 'node:net'

/** Reports whether `address` is an IP address in one of these ranges. */
export function isInRanges(address: string, ranges: BlockList): boolean {
  return isIP(address) !== 0 && ranges.check(address, familyOf(address))
}

/**
 * Parses addresses and CIDR ranges. IPv4 entries also match the same address in its IPv6 form (`::ffff:10.0.0.1`).
 *
 * @throws {RangeError} naming the first entry that is neither an address nor a range, or matches every address.
 */
export function parseIpRanges(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    addEntry(list, entry)
    const single = new BlockList()
    addEntry(single, entry)
    if (matchesEverything(single))
      throw new RangeError(`${entry} matches every address; name the proxies themselves`)
  }
  return list
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/')
  const widest = isIP(address) === 6 ? 128 : 32
  const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= widest
  if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !isRange)) {
    throw new RangeError(`${entry} is neither an IP address nor a range such as 10.0.0.0/8`)
  }
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

/** A range that holds the first and the last address holds all of them. */
function matchesEverything(list: BlockList): boolean {
  const holds = (address: string) => list.check(address, familyOf(address))
  return (
    (holds('0.0.0.0') && holds('255.255.255.255')) ||
    (holds('::') && holds('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))
  )
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
