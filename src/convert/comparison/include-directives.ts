/** Directives of all generators that put the text of another file into a page. */
export const INCLUDE =
  /(?<!\\)\{\{#(?:rustdoc_)?include\s[^{}\n]*\}\}|^[ \t]*-+8<-+[ \t]+["'][^"'\n]+["']|<!--\s*@include:[^\n<>]*-->|^<<<[ \t]+\S.*$|\{%-?\s*include(?:_relative|-markdown)?\s[^{}\n]*%\}|\{\{[<%]\s*(?:include|readfile)\s[^{}\n]*[>%]\}\}|(?<!\\)\{!\s*[^!{}\n]+!\}|^[ \t]*\{\*\s+\S[^*{}\n]*\*\}/gim
