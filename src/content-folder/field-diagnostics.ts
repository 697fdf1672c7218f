import type { z } from 'zod'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import { fieldName, plainReason } from '../domain/invalid-field.ts'
import { didYouMean } from '../domain/nearest-name.ts'
import type { Path, YamlSource } from './yaml-source.ts'

type Issue = z.core.$ZodIssue

/**
 * Errors for the issues that a schema reports, one per field, with the position of each field in the file.
 *
 * @param schema the one that reported the issues. Names of its fields are suggested for unknown ones.
 */
export function fieldErrors(
  error: z.ZodError,
  file: string,
  source: YamlSource,
  schema: z.core.$ZodType,
): readonly Diagnostic[] {
  return error.issues.flatMap(flatten).map(({ code, path, reason }) => {
    if (code === 'QN-UNKNOWN-FIELD') {
      const hint = didYouMean(String(path.at(-1)), namesAt(schema as Schema, path.slice(0, -1)))
      return unknownField(file, source, path, hint)
    }
    return valueAt(source.value, path) === undefined
      ? fieldError('QN-MISSING-FIELD', file, source, path, 'is required.')
      : fieldError(code, file, source, path, reason)
  })
}

/** @param reason completes a sentence that begins with the field. For an empty path it is a sentence. */
export function fieldError(
  code: DiagnosticCode,
  file: string,
  source: YamlSource,
  path: Path,
  reason: string,
): Diagnostic {
  const field = path.length === 0 ? null : fieldName(path)
  const message = field === null ? reason : `${field} ${reason}`
  return diagnostic(code, file, message, { ...source.placeOf(path), field })
}

function unknownField(file: string, source: YamlSource, path: Path, hint: string): Diagnostic {
  const field = fieldName(path)
  return diagnostic('QN-UNKNOWN-FIELD', file, `Unknown field "${field}".${hint}`, {
    ...source.placeOf(path),
    field,
  })
}

/** The Zod schemas that `namesAt` looks into. */
type Schema = z.core.$ZodTypes

/** Names of the fields that an object at this path may have. */
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

/** Parses what `fieldName` formats. */
export function fieldPath(name: string): Path {
  return [...name.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
}

interface FieldIssue {
  readonly code: DiagnosticCode
  readonly path: Path
  readonly reason: string
}

/** One issue per field. A union yields the issues of the alternative that matches best. */
function flatten(issue: Issue): readonly FieldIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ code: 'QN-UNKNOWN-FIELD', path: [...issue.path, key], reason: '' }))
  }
  const nearest = issue.code === 'invalid_union' ? nearestAlternative(issue.errors) : null
  if (nearest !== null) {
    return nearest.flatMap(flatten).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  const isCss = issue.code === 'custom' && issue.params?.['css'] === true
  return [{ code: isCss ? 'QN-BAD-CSS' : 'QN-BAD-VALUE', path: issue.path, reason: plainReason(issue) }]
}

/** The alternative for the kind of value with the fewest issues. */
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
