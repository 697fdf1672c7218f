/** `{% highlight js %}…{% endhighlight %}`, of Liquid. */
const LIQUID_BLOCK = /\{%-?\s*highlight\s+(\w+)[^%]*%\}\r?\n?([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g
/** `{{< highlight js "linenos=table" >}}…{{< /highlight >}}`, of Hugo. */
const HUGO_BLOCK =
  /\{\{[<%]\s*highlight\s+(?:lang(?:uage)?=)?"?([\w+#-]+)"?[^{}]*?[>%]\}\}\r?\n?([\s\S]*?)\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g

/** Code that a template language marks as fenced blocks, before code is told from prose. */
export function fenced(body: string): string {
  const block = (_: string, language: string, code: string) =>
    `\`\`\`${language}\n${code.replace(/\n?$/, '\n')}\`\`\``
  return body.replace(LIQUID_BLOCK, block).replace(HUGO_BLOCK, block)
}
