import type { InvalidField } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { readSubroute } from '../domain/route.ts'
import type { SlugAlphabet } from '../domain/slug.ts'
import { SUBROUTE_RULE, WIDE_HINT } from '../fields/values.ts'

/** Routes that only wide addresses allow, in a project with standard ones. */
export function wideRouteErrors(
  path: string,
  routes: JsonValue | undefined,
  alphabet: SlugAlphabet,
): readonly InvalidField[] {
  if (alphabet === 'wide' || !isJsonObject(routes)) return []
  const needsWide = (text: JsonValue) =>
    typeof text === 'string' && readSubroute(text, 'standard') === null && readSubroute(text, 'wide') !== null
  return Object.entries(routes)
    .filter((route) => route.some(needsWide))
    .map(([subroute]) => ({
      path: `${path}.${subroute}`,
      message: `must map ${SUBROUTE_RULE}. ${WIDE_HINT}`,
      code: 'wrong_format',
    }))
}
