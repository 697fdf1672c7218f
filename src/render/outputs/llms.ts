import { humanised } from '../../content/humanised.ts'
import type { Artifact } from '../../domain/artifact.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { cutText } from '../cut-text.ts'
import type { Site } from '../head-view.ts'
import { twinKey } from '../twin.ts'
import { siteFile } from './site-file.ts'

const DESCRIPTION = 200

/** A page's line of `llms.txt`, with the subroute it is listed under. */
export interface LlmsLine {
  readonly subroute: string
  readonly line: string
}

/** A link to the page's Markdown twin, and what the page is about. */
export function llmsLine({ page, path, site }: LivePage): string {
  const url = `${site.origin}/${twinKey(path)}`
  const about = cutText(page.description, DESCRIPTION)
  return `- [${linkText(page.title)}](${url})${about === '' ? '' : `: ${about}`}`
}

/**
 * `llms.txt`: the site's pages for language models, each as Markdown. Source: https://llmstxt.org
 *
 * @param lines sorted by subroute.
 */
export function llmsText({ site, settings }: Site, lines: readonly LlmsLine[]): Artifact {
  const about = cutText(settings.metaDescription ?? '', DESCRIPTION)
  const text = [`# ${cutText(settings.metaTitle ?? site.name, DESCRIPTION)}\n`]
  if (about !== '') text.push(`\n> ${about}\n`)
  lines.forEach(({ subroute, line }, index) => {
    if (subroute !== lines[index - 1]?.subroute) text.push(`\n## ${groupTitle(subroute)}\n\n`)
    text.push(`${line}\n`)
  })
  return siteFile('llms.txt', text.join(''))
}

function groupTitle(subroute: string): string {
  return subroute === '' ? 'Pages' : subroute.split('/').map(humanised).join(' / ')
}

function linkText(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\[\]]/g, '\\$&')
}
