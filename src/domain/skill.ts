/** An agent skill of a site: instructions for agents, published as a file. */
export interface Skill {
  readonly name: string
  /** Its effect and when to use it, in one line. */
  readonly description: string
  /** The file, in the content folder and on the site. */
  readonly path: string
}

/** The index of a site's skills. Source: https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0 */
export const SKILL_INDEX = '.well-known/agent-skills/index.json'

const SKILL_FILE = /^skills\/[^/]+\/SKILL\.md$/

/** Reports whether a file of a content folder is a skill. Other files below `skills/` are treated as elsewhere. */
export function isSkillFile(path: string): boolean {
  return SKILL_FILE.test(path)
}
