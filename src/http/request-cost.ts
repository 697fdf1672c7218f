/* How many requests more a costly request counts against its limits. */

/** Bytes of a body or an answer that are read or written in about the time of a small request. */
const BYTES_UNIT = 256 * 1024
const VALUES_UNIT = 5_000
const ITEMS_UNIT = 10
/** Processor time of ten small requests. A page that is refused as too complex took 40 times as much. In milliseconds. */
const PROCESSOR_UNIT_MS = 50
/** Most of what processor time adds. Pictures may take longer: they are read one after the other. */
const MAX_PROCESSOR_COST = 100

export function costOfBytes(bytes: number): number {
  return Math.floor(bytes / BYTES_UNIT)
}

export function costOfValues(values: number): number {
  return Math.floor(values / VALUES_UNIT)
}

/** @param items written by one request. */
export function costOfItems(items: number): number {
  return Math.ceil(items / ITEMS_UNIT)
}

/** @param ms of all processes that worked for the request. */
export function costOfProcessorTime(ms: number): number {
  return Math.min(MAX_PROCESSOR_COST, Math.floor(ms / PROCESSOR_UNIT_MS))
}
