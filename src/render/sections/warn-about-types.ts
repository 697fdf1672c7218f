import type { JsonObject } from '../../domain/json.ts'
import { typeFaults, type ValueTypes } from '../../theme/value-types.ts'
import type { Rendering } from '../page/rendering.ts'

/** Warns about values that have another type than the theme declares. @param at path of the object in the content. */
export function warnAboutTypes(
  values: JsonObject,
  types: ValueTypes,
  at: string,
  { warn }: Pick<Rendering, 'warn'>,
): void {
  for (const { name, message } of typeFaults(values, types))
    warn({ code: 'QN-WRONG-TYPE', at: `${at}.${name}`, message: `${name} ${message}` })
}
