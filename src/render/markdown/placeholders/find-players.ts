import { type Embed, pageEmbed, videoEmbed, vimeoEmbed, youtubeEmbed } from '../../../domain/embed.ts'
import { didYouMean } from '../../../domain/nearest-name.ts'
import {
  PLAYER_ATTRIBUTES,
  type PlayerDirective,
  readPlayer,
  type WrittenPlayer,
} from '../../../page-text/player-directive.ts'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { type Placeholder, type PlayerPlaceholder, placeholderText } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/** A line that looks like a directive. */
const ATTEMPTED = /^[ \t>]*(::(?:video|audio|youtube|vimeo|embed)[ \t]*[[{][^\n]*)/i

export interface FoundPlayers {
  /** The new text of each line that is a directive, by line index. */
  readonly lines: ReadonlyMap<number, string>
  /** Warnings about directives that stay text, and attributes without effect. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

/**
 * Finds the lines of a source that are directives of videos, sounds and pages of other sites.
 *
 * @param placeholders new placeholders are appended.
 */
export function findPlayers(lines: readonly SourceLine[], placeholders: Placeholder[]): FoundPlayers {
  const found = new Map<number, string>()
  const diagnostics: MarkdownDiagnostic[] = []
  for (const [index, { text, isCode }] of lines.entries()) {
    const [, attempted] = isCode ? [] : (ATTEMPTED.exec(text) ?? [])
    if (attempted === undefined) continue
    const written = readPlayer(text)
    const { player, faults } = written === null ? NO_BRACES : playerOf(written)
    for (const fault of faults) report(written?.source ?? attempted.trimEnd(), fault)
    if (written === null || player === null) continue
    placeholders.push(player)
    found.set(index, written.before + placeholderText(placeholders.length - 1))
  }
  return { lines: found, diagnostics }

  function report(source: string, fault: string): void {
    const message = `The directive ${JSON.stringify(source.slice(0, 100))} ${fault}`
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code: 'QN-BAD-DIRECTIVE', excerpt: source, message })
  }
}

interface ReadPlayer {
  /** The player's placeholder; null if the directive stays text. */
  readonly player: PlayerPlaceholder | null
  readonly faults: readonly string[]
}

const NO_BRACES: ReadPlayer = {
  player: null,
  faults: [
    'stays text: write it on one line of its own, as in ::video[Name]{src="intro.mp4"} or ::youtube[dQw4w9WgXcQ].',
  ],
}

function playerOf({ directive, source, name, attributes }: WrittenPlayer): ReadPlayer {
  const { valued, flags }: { valued: readonly string[]; flags: readonly string[] } =
    PLAYER_ATTRIBUTES[directive]
  const values = new Map<string, string>()
  const unknown: string[] = []
  for (const { name: attribute, value, isQuoted } of attributes) {
    if (flags.includes(attribute)) values.set(attribute, '')
    else if (!valued.includes(attribute)) unknown.push(attribute)
    else if (value !== null && isQuoted) values.set(attribute, value.trim())
    else return staysText(`put the value of ${attribute} between quotation marks.`)
  }
  const target = targetOf(directive, name, values)
  if ('fault' in target) return staysText(target.fault)
  const faults = unknown.map(
    (attribute) =>
      `has an attribute without effect, ${attribute}.${didYouMean(attribute, [...valued, ...flags])}`,
  )
  const player: PlayerPlaceholder = {
    type: 'player',
    source,
    ...target,
    title: values.get('title') || null,
    poster: values.get('poster') || null,
    captions: values.get('captions') || null,
    playback: flags.filter((flag) => values.has(flag)).join(' '),
  }
  return { player, faults }
}

type Target = Pick<PlayerPlaceholder, 'kind' | 'src' | 'name'>

function targetOf(
  directive: PlayerDirective,
  name: string,
  values: ReadonlyMap<string, string>,
): Target | { readonly fault: string } {
  switch (directive) {
    case 'video':
    case 'audio': {
      const src = values.get('src') ?? ''
      return src === ''
        ? { fault: 'it needs the address of a file, src="…".' }
        : { kind: directive, src, name }
    }
    case 'youtube':
      return embedded(
        youtubeEmbed(name, values.get('start')) ?? videoEmbed(name),
        'write the id of a video or its address in the brackets, as in ::youtube[dQw4w9WgXcQ].',
      )
    case 'vimeo':
      return embedded(
        vimeoEmbed(name) ?? videoEmbed(name),
        'write the number of a video or its address in the brackets, as in ::vimeo[76979871].',
      )
    case 'embed':
      return embedded(
        pageEmbed(values.get('url') ?? ''),
        'it needs the address of a page, url="https://…".',
        name,
      )
  }
}

function embedded(embed: Embed | null, fault: string, name = ''): Target | { readonly fault: string } {
  return embed === null ? { fault } : { kind: 'embed', src: embed.page, name }
}

function staysText(reason: string): ReadPlayer {
  return { player: null, faults: [`stays text: ${reason}`] }
}
