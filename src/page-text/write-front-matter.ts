import type { JsonObject } from '../domain/json.ts'
import { writeYaml } from './write-yaml.ts'

/**
 * A Markdown document with YAML front matter. Within the limits of `splitFrontMatter`, that function returns
 * the same values and body.
 *
 * @param comments single lines for readers of the file, printed above the values.
 */
export function writeFrontMatter(values: JsonObject, body: string, comments: readonly string[] = []): string {
  return `---\n${comments.map((comment) => `# ${comment}\n`).join('')}${writeYaml(values)}---\n${body}`
}
