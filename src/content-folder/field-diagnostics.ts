import type { z } from 'zod'
import { fieldName, plainReason } from '../domain/field-fault.ts'
import { questionOfNearest } from '../domain/nearest-name.ts'
import type { SiteFault } from './site.ts'
import type { Path, YamlSource } from './yaml-source.ts'

type Issue = z.core.$ZodIssue

/** Of a name that nothing has. */
export const NO_FIELD = 'is not a field of this.'

/**
 * What a schema found wrong in a file, field by field, with the lines they stand on.
 *
 * @param schema that found it.
 */
export function fieldFaults(
  error: z.ZodError,
  file: string,
  source: YamlSource,
  schema: z.core.$ZodType,
): readonly SiteFault[] {
  return error.issues.flatMap(plainIssues).map(({ path, message }) => {
    const missing = valueAt(source.value, path) === undefined
    const question =
      message === NO_FIELD
        ? questionOfNearest(String(path.at(-1)), namesAt(schema as Schema, path.slice(0, -1)))
        : ''
    return fieldFault(file, source, path, missing ? 'is required.' : message + question)
  })
}

export function fieldFault(file: string, source: YamlSource, path: Path, message: string): SiteFault {
  return { file, ...source.placeOf(path), field: path.length === 0 ? null : fieldName(path), message }
}

/** Any schema, as far as names are looked for in it. */
type Schema = z.core.$ZodTypes

/** Of the fields that an object at this path may have. */
function namesAt(schema: Schema, path: Path): readonly string[] {
  const { def } = schema._zod
  const [step, ...further] = path
  switch (def.type) {
    case 'object': {
      if (step === undefined) return Object.keys(def.shape)
      const inner = Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined
      return inner === undefined ? [] : namesAt(inner as Schema, further)
    }
    case 'array':
      return step === undefined ? [] : namesAt(def.element as Schema, further)
    case 'union':
      return def.options.flatMap((option) => namesAt(option as Schema, path))
    case 'optional':
    case 'nullable':
    case 'default':
      return namesAt(def.innerType as Schema, path)
    case 'pipe':
      return namesAt(def.in as Schema, path)
    default:
      return []
  }
}

/** The path that `fieldName` names. */
export function fieldPath(name: string): Path {
  return [...name.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
}

/** An issue as one finding per field; of a union, what its nearest alternative found. */
function plainIssues(issue: Issue): readonly { path: Path; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: NO_FIELD }))
  }
  const nearest = issue.code === 'invalid_union' ? nearestAlternative(issue.errors) : null
  if (nearest === null) return [{ path: issue.path, message: plainReason(issue) }]
  return nearest
    .flatMap(plainIssues)
    .map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
}

/** Of the alternatives that are of the written kind at all, the one with the fewest issues. */
function nearestAlternative(alternatives: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const ofKind = alternatives.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return ofKind.toSorted((a, b) => a.length - b.length)[0] ?? null
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined,
    value,
  )
}
