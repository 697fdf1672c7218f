/** `{% highlight js linenos %}…{% endhighlight %}`, of Liquid. */
const LIQUID_BLOCK = /\{%-?\s*highlight\s+(\w+)([^%]*)%\}\r?\n?([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g
/** `{{< highlight js "linenos=table" >}}…{{< /highlight >}}`, of Hugo. */
const HUGO_BLOCK =
  /\{\{[<%]\s*highlight\s+(?:lang(?:uage)?=)?"?([\w+#-]+)"?([^{}]*?)[>%]\}\}\r?\n?([\s\S]*?)\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g
/** ` ```go {linenos=true hl_lines=[2]} `, of Hugo. */
const HUGO_FENCE =
  /^([ \t]*(?:`{3,}|~{3,})[ \t]*)([\w+#-]+)[ \t]*\{([^{}\n]*\b(?:linenos|hl_lines)\b[^{}\n]*)\}[ \t]*$/gm

/** Code that a template language marks as fenced blocks, before code is told from prose. */
export function fenced(body: string): string {
  const block = (_: string, language: string, options: string, code: string) =>
    `\`\`\`${infoOf(language, options)}\n${code.replace(/\n?$/, '\n')}\`\`\``
  return body
    .replace(LIQUID_BLOCK, block)
    .replace(HUGO_BLOCK, block)
    .replace(
      HUGO_FENCE,
      (_, fence: string, language: string, options: string) => fence + infoOf(language, options),
    )
}

/** What is said of a block, in the words of Quoin. */
function infoOf(language: string, options: string): string {
  const [marked = ''] = /(?<=\b(?:hl_lines|mark_lines)=)(?:\[[^\]]*\]|"[^"]*"|[\d\s-]+)/.exec(options) ?? []
  const lines = [...marked.matchAll(/\d+(?:-\d+)?/g)].join(',')
  const [, title] = /\b(?:title|filename)="([^"]*)"/.exec(options) ?? []
  return [
    language,
    ...(title === undefined ? [] : [`title="${title}"`]),
    ...(/\blinenos\b(?!=["']?false)/.test(options) ? ['showLineNumbers'] : []),
    ...(lines === '' ? [] : [`{${lines}}`]),
  ].join(' ')
}
