/*
 * A video, a sound or a page of another site, on a line of its own: `::video[Name]{src="video.mp4" poster="first.jpg"
 * loop}`, `::youtube[dQw4w9WgXcQ]{title="Name"}`, `::embed[Name]{url="https://…"}`. Values are in quotes.
 */

/** The attributes with a value, and those without one, by directive. */
export const PLAYER_ATTRIBUTES = {
  video: { valued: ['src', 'poster', 'captions', 'title'], flags: ['loop', 'muted'] },
  audio: { valued: ['src', 'title'], flags: ['loop'] },
  youtube: { valued: ['title', 'poster', 'start'], flags: [] },
  vimeo: { valued: ['title', 'poster'], flags: [] },
  embed: { valued: ['url', 'title', 'poster'], flags: [] },
} as const

export type PlayerDirective = keyof typeof PLAYER_ATTRIBUTES

/** The element that plays it: the browser's own player, or a frame. */
export type PlayerKind = 'video' | 'audio' | 'embed'

/** The line up to the directive, its name, the text in brackets, and the attributes between the braces. */
const LINE =
  /^([ \t>]*)::(?:(video|audio|embed)[ \t]*(?:\[([^\]\n]*)\])?(?=\{)|(youtube|vimeo)[ \t]*\[([^\]\n]*)\])(?:\{((?:[^{}"'\n]|"[^"\n]*"|'[^'\n]*')*)\})?[ \t]*$/i
const LINES = new RegExp(LINE, 'gim')
const ATTRIBUTE = /([^\s="']+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']*)))?/g

/** A directive as it is written. */
export interface WrittenPlayer {
  readonly directive: PlayerDirective
  /** The line up to the directive: indentation and signs of quotes. */
  readonly before: string
  /** The directive itself. */
  readonly source: string
  /** The text in brackets, trimmed; empty for none. The id of a video of YouTube or Vimeo. */
  readonly name: string
  readonly attributes: readonly PlayerAttribute[]
}

export interface PlayerAttribute {
  /** In lower case. */
  readonly name: string
  /** The value. Null for an attribute without one. */
  readonly value: string | null
  readonly isQuoted: boolean
}

/** Reads a line that is a whole directive; null for any other. */
export function readPlayer(line: string): WrittenPlayer | null {
  const [match, before = '', file = '', label = '', service = '', id = '', attributes = ''] =
    LINE.exec(line) ?? []
  if (match === undefined) return null
  return {
    directive: (file || service).toLowerCase() as PlayerDirective,
    before,
    source: match.slice(before.length).trimEnd(),
    name: (label || id).trim(),
    attributes: readAttributes(attributes),
  }
}

/** Reads the attributes between the braces of a directive. */
export function readAttributes(written: string): readonly PlayerAttribute[] {
  return [...written.matchAll(ATTRIBUTE)].map(([, key = '', double, single, bare]) => ({
    name: key.toLowerCase(),
    value: double ?? single ?? bare ?? null,
    isQuoted: bare === undefined,
  }))
}

/** The files of `captions`: one for each language, separated by commas. */
export function captionFiles(captions: string): readonly string[] {
  return captions
    .split(',')
    .map((file) => file.trim())
    .filter((file) => file !== '')
}

/** The text without its directives. Readers do not see them as text. */
export function withoutPlayers(text: string): string {
  return text.replace(LINES, '')
}
