const MAX_LENGTH = 80

/** The first line of a template tag, as messages quote it. */
export function quotedTag(tag: string): string {
  const [line = ''] = tag.trim().split('\n', 1)
  return `\`${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line}\``
}
