import { isJsonObject, type JsonObject } from '../domain/json.ts'

/* Typed access to props that `normalize.ts` has read: a value has its declared type or is absent. */

export function textIn(props: JsonObject, name: string): string | null {
  const value = props[name]
  return typeof value === 'string' ? value : null
}

export function textsIn(props: JsonObject, name: string): readonly string[] {
  const value = props[name]
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

export function numberIn(props: JsonObject, name: string): number | null {
  const value = props[name]
  return typeof value === 'number' ? value : null
}

export function choiceIn<Choice extends string>(
  props: JsonObject,
  name: string,
  of: readonly Choice[],
): Choice | null {
  return of.find((choice) => choice === props[name]) ?? null
}

export function objectIn(props: JsonObject, name: string): JsonObject | null {
  const value = props[name]
  return isJsonObject(value) ? value : null
}

export function objectsIn(props: JsonObject, name: string): readonly JsonObject[] {
  const value = props[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
