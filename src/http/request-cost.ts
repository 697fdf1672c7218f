/* The cost of a request: the number of additional requests that it counts against its limits. */

/** Bytes of a body or an answer that are read or written in about the time of a small request. */
const BYTES_UNIT = 256 * 1024
const VALUES_UNIT = 5_000
const ITEMS_UNIT = 10
/**
 * Processor time of ten small requests, in milliseconds. A page that is rejected as too complex took 40 times as much.
 */
const PROCESSOR_UNIT_MS = 50
/** The most that processor time adds. Images may take longer: they are read one after the other. */
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
