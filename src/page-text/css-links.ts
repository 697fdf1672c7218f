const CSS_URL = /url\(([^()]*)\)/g

/** Maps the addresses in `url(…)` of a style sheet. Unchanged ones keep their spelling. */
export function mapCssUrls(css: string, change: (target: string) => string): string {
  return css.replace(CSS_URL, (match: string, written: string) => {
    const target = written.trim().replace(/^["']|["']$/g, '')
    const wanted = change(target)
    return wanted === target ? match : `url("${wanted}")`
  })
}
