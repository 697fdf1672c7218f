import { Readable } from 'node:stream'
import { SKILL_INDEX, type Skill } from '../domain/skill.ts'
import type { FileBody } from '../platform/file-body.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import type { BuildState } from './state/build-state.ts'
import type { StaticFile } from './static-files.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/**
 * The index by which agents discover the skills of a site. Its links are relative, so that they work under any base
 * path.
 *
 * @param bodies of the files of the site, by path.
 * @returns none for a site without skills, and for one whose author wrote the index.
 */
export function skillIndex(
  skills: readonly Skill[],
  bodies: ReadonlyMap<string, FileBody>,
): readonly StaticFile[] {
  if (skills.length === 0 || bodies.has(SKILL_INDEX)) return []
  const entries = skills.flatMap(({ name, description, path }) => {
    const body = bodies.get(path)
    if (body === undefined) return []
    return [{ name, type: 'skill-md', description, url: `../../${path}`, digest: `sha256:${body.digest}` }]
  })
  const body = Buffer.from(`${JSON.stringify({ $schema: SCHEMA, skills: entries }, null, 2)}\n`)
  return [
    { key: SKILL_INDEX, size: body.byteLength, digest: sha256(body), open: () => Readable.from([body]) },
  ]
}

/** Reports whether the skills, and so `llms.txt`, differ from the previous build. */
export function isOtherSkillIndex(
  index: readonly StaticFile[],
  bodies: ReadonlyMap<string, FileBody>,
  { files }: BuildState,
): boolean {
  return !bodies.has(SKILL_INDEX) && files.get(SKILL_INDEX)?.digest !== index[0]?.digest
}
