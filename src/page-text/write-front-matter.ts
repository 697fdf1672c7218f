import type { JsonObject } from '../domain/json.ts'
import { writeYaml } from './write-yaml.ts'

/**
 * A Markdown document with YAML front matter, as `splitFrontMatter` reads it: within its bounds, the
 * same values and the very same body come back.
 *
 * @param comments for whoever reads the file, of one line each; they stand above the values.
 */
export function writeFrontMatter(values: JsonObject, body: string, comments: readonly string[] = []): string {
  return `---\n${comments.map((comment) => `# ${comment}\n`).join('')}${writeYaml(values)}---\n${body}`
}
