/** `1 page`, `2 pages`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** `12.3 KB` */
export function size(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** `0.42 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
