import { expect } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import type { Answer, TestService } from '../support/service.ts'
import type { KeyName, Step, Tagged } from './step.ts'
import type { World } from './world.ts'

/** The service that a sequence of commands runs against. */
export interface Real {
  readonly service: TestService
  /** A key of the sequence's user, or of a stranger. */
  readonly keyNamed: (name: KeyName) => Promise<string>
  /** The entity tags seen, by record and version. */
  readonly tags: Map<string, string>
}

/** Sends the request and compares its answer with what was foretold. @returns the world afterwards. */
export async function runStep(world: World, step: Step, real: Real): Promise<World> {
  const answer = await sent(step, real)
  const { outcome } = step
  if ('refusal' in outcome) {
    expectRefusal(answer, outcome.refusal)
    return world
  }
  expect([answer.status, answer.status === outcome.status ? '' : answer.body]).toEqual([outcome.status, ''])
  const after = outcome.next(answer.body.data)
  expectContent(answer.body, outcome.body(after))
  if (outcome.tagged !== undefined)
    real.tags.set(nameOf(outcome.tagged(after)), answer.headers.get('etag') ?? '')
  return after
}

async function sent(
  { method, path, key, body, match }: Step,
  { service, keyNamed, tags }: Real,
): Promise<Answer> {
  const tag = match === undefined ? null : tagOf(match, tags)
  const headers: Record<string, string> = tag === null ? {} : { 'If-Match': tag }
  return service.call(method, path, body, { key: await keyNamed(key), headers })
}

/** A tag that was really answered where there is one. */
function tagOf({ record, version, which }: NonNullable<Step['match']>, tags: Real['tags']): string | null {
  if (which === 'absent') return null
  if (which === 'present') return tags.get(nameOf({ record, version })) ?? '*'
  return tags.get(nameOf({ record, version: version - 1 })) ?? '"0-nobody"'
}

function nameOf({ record, version }: Tagged): string {
  return `${record} at ${version}`
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Body = any

function expectContent(body: Body, foretold: Body): void {
  const { data, meta = {}, ...rest } = body
  const { data: wanted, meta: wantedMeta = {}, ...others } = foretold
  expect(rest).toEqual(others)
  expect(shared(meta, wantedMeta)).toEqual(wantedMeta)
  if (Array.isArray(wanted))
    expect(data.map((item: object, at: number) => shared(item, wanted[at] ?? {}))).toEqual(wanted)
  else expect(shared(data, wanted)).toEqual(wanted)
}

/** Picks the fields of a value that occur in another one; the service may answer more. */
function shared(value: object, wanted: object): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(wanted, name)))
}
