import type { JsonObject } from '../../domain/json.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { readToml } from '../config/source-config.ts'

export interface SourcePage {
  readonly fields: JsonObject
  readonly body: string
  /** The first line of the body in the file, from 1. */
  readonly bodyLine: number
  /** The reason why the front matter cannot be read; `fields` is then empty. Null without an error. */
  readonly error: string | null
}

const TOML = /^\ufeff?\+\+\+[ \t]*\r?\n(?:(.*?)\r?\n)?\+\+\+[ \t]*(?:\r?\n|$)/s

/** Splits a Markdown file into front matter, YAML or TOML, and body. */
export function splitSourcePage(text: string): SourcePage {
  const toml = TOML.exec(text)
  if (toml === null) {
    const { frontMatter, body, error } = splitFrontMatter(text)
    return { fields: frontMatter, body, bodyLine: lineOf(text, body), error: error?.message ?? null }
  }
  const body = text.slice(toml[0].length)
  const read = readToml(toml[1] ?? '')
  const isFault = typeof read === 'string'
  return { fields: isFault ? {} : read, body, bodyLine: lineOf(text, body), error: isFault ? read : null }
}

function lineOf(text: string, body: string): number {
  return text.slice(0, text.length - body.length).split('\n').length
}
