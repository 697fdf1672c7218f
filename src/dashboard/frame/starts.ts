import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../domain/json.ts'

/** In the order in which they are offered. */
const NAMES = [
  'blank',
  'blog',
  'docs',
  'landing',
  'product',
  'portfolio',
  'event',
  'local',
  'team',
  'changelog',
] as const
export type StartName = (typeof NAMES)[number]

/** Initial settings and pages of a new site, in the names of the API. */
export interface Start {
  readonly name: StartName
  readonly settings: JsonObject
  /** The user edits the first one first. */
  readonly pages: readonly JsonObject[]
}

/** @param templates the folder of the dashboard's templates. */
export function readStarts(templates: string): readonly Start[] {
  return NAMES.map((name) => {
    const text = readFileSync(join(templates, 'starts', `${name}.json`), 'utf8')
    return { name, ...(JSON.parse(text) as Omit<Start, 'name'>) }
  })
}
