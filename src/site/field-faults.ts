import type { z } from 'zod'
import { questionOfNearest } from '../domain/nearest-name.ts'
import type { SiteFault } from './site.ts'
import type { Path, YamlSource } from './yaml-source.ts'

type Issue = z.core.$ZodIssue

/** Of a name that nothing has. */
export const NO_FIELD = 'is not a field of this.'

/**
 * What a schema found wrong in a file, field by field, with the lines they stand on.
 *
 * @param names of the fields such a file may have.
 */
export function fieldFaults(
  error: z.ZodError,
  file: string,
  source: YamlSource,
  names: readonly string[],
): readonly SiteFault[] {
  return error.issues.flatMap(plainIssues).map(({ path, message }) => {
    const missing = valueAt(source.value, path) === undefined
    const question =
      message === NO_FIELD && path.length === 1 ? questionOfNearest(String(path[0]), names) : ''
    return fieldFault(file, source, path, missing ? 'is required.' : message + question)
  })
}

export function fieldFault(file: string, source: YamlSource, path: Path, message: string): SiteFault {
  return { file, ...source.placeOf(path), field: path.length === 0 ? null : fieldName(path), message }
}

/** `nav_links[2].href` */
export function fieldName(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
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
  if (nearest === null) return [{ path: issue.path, message: issue.message }]
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
