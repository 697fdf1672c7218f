import { glossaryFaults } from './glossary.ts'
import type { JsonObject } from './json.ts'
import { authorFaults } from './site-author.ts'
import { type DataFault, sizeFault } from './site-data.ts'

/** Reported at once. */
const MAX_FAULTS = 20

/** Returns the errors in the data of a site. Values that only templates read may be anything. */
export function dataFaults(data: JsonObject): readonly DataFault[] {
  const message = sizeFault(data)
  if (message !== null) return [{ path: [], message }]
  return [...authorFaults(data), ...glossaryFaults(data)].slice(0, MAX_FAULTS)
}
