import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isSkillFile, type Skill } from '../domain/skill.ts'
import { splitFrontMatter } from '../page-text/front-matter.ts'

/* Agent skills of a site: `skills/{name}/SKILL.md`. The format: https://agentskills.io/specification */

/** Small letters, digits and single hyphens inside. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
/** An agent reads the file as a whole. */
const MAX_BYTES = 256 * 1024
const MAX_SKILLS = 100

/**
 * The skills of a content folder, in the order of its files.
 *
 * @param textOf null for a file that is not UTF-8, undefined for a missing one.
 */
export function readSkills(
  files: readonly string[],
  textOf: (path: string) => string | null | undefined,
): { readonly skills: readonly Skill[]; readonly errors: readonly Diagnostic[] } {
  const sources = files.filter(isSkillFile)
  const readings = sources.slice(0, MAX_SKILLS).map((source) => readSkill(source, textOf(source)))
  const extra = sources[MAX_SKILLS]
  const excess =
    extra === undefined ? [] : [fault(extra, 1, `A site has at most ${MAX_SKILLS} skills. Remove some.`)]
  return {
    skills: readings.flatMap(({ skill }) => skill ?? []),
    errors: [...readings.flatMap(({ errors }) => errors), ...excess],
  }
}

interface SkillReading {
  readonly skill: Skill | null
  readonly errors: readonly Diagnostic[]
}

function readSkill(path: string, text: string | null | undefined): SkillReading {
  const refuse = (...errors: readonly Diagnostic[]): SkillReading => ({ skill: null, errors })
  if (text === undefined) return refuse()
  if (text === null) return refuse(diagnostic('QN-BAD-ENCODING', path, 'The file is not UTF-8 text.'))
  if (Buffer.byteLength(text) > MAX_BYTES)
    return refuse(fault(path, 1, `A skill has at most ${MAX_BYTES / 1024} KiB. Make it shorter.`))
  const { frontMatter, body, error } = splitFrontMatter(text)
  if (error !== null) return refuse(diagnostic('QN-BAD-YAML', path, error.message, { line: error.line }))
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text))
    return refuse(fault(path, 1, 'A skill starts with front matter that has a name and a description.'))
  const { name, description } = frontMatter
  const errors = [
    ...faultsOf('name', nameFault(name, path.split('/')[1] ?? '')),
    ...faultsOf('description', descriptionFault(description)),
    ...(body.trim() === ''
      ? [fault(path, text.split('\n').length, 'The skill has no text below its front matter.')]
      : []),
  ]
  if (errors.length > 0 || typeof name !== 'string' || typeof description !== 'string')
    return refuse(...errors)
  return { skill: { name, description: description.replace(/\s+/g, ' ').trim(), path }, errors: [] }

  function faultsOf(field: string, message: string | null): readonly Diagnostic[] {
    return message === null ? [] : [fault(path, lineOf(text ?? '', field), message, field)]
  }
}

function nameFault(name: unknown, folder: string): string | null {
  if (typeof name !== 'string') return 'The front matter of a skill needs a name, a text.'
  if (name.length > MAX_NAME || !NAME.test(name))
    return `name must have 1 to ${MAX_NAME} small letters, digits and hyphens, none at an end and no two together.`
  if (name !== folder) return `name must be that of the folder, ${folder}.`
  return null
}

function descriptionFault(description: unknown): string | null {
  if (typeof description !== 'string' || description.trim() === '')
    return 'The front matter of a skill needs a description: what it does, and when to use it.'
  if (description.length > MAX_DESCRIPTION)
    return `description has ${description.length} characters, and must have at most ${MAX_DESCRIPTION}.`
  return null
}

/** The line of a field in the front matter; the first line for one that is not there. */
function lineOf(text: string, field: string): number {
  const index = text.split('\n').findIndex((line) => line.startsWith(`${field}:`))
  return index < 0 ? 1 : index + 1
}

function fault(file: string, line: number, message: string, field: string | null = null): Diagnostic {
  return diagnostic('QN-BAD-SKILL', file, message, { line, field })
}
