import { loadMarkdownTools } from '../../src/render/markdown/markdown-tools.ts'
import { type RenderedMarkdown, renderMarkdown } from '../../src/render/markdown/render-markdown.ts'

const tools = await loadMarkdownTools('```ts ```sh ```sql ```html ```json ```diff $x$')

/** Renders a sample body as the product does. */
export function sampleBody(markdown: string): Pick<RenderedMarkdown, 'html' | 'toc'> {
  const { html, toc } = renderMarkdown(markdown, { href: (url) => url, title: '', tools })
  return { html, toc }
}

export const GUIDE = `
Quoin turns pages into plain files and puts them on a CDN. This guide takes you from nothing to a live
page in about five minutes. You need [Node.js 20](https://nodejs.org/) and a terminal; press
<kbd>Ctrl</kbd> + <kbd>C</kbd> to stop the server at any time.

> [!NOTE]
> Everything here works offline. Nothing leaves your machine until you ask for it.

## Install

Install the package and start the service. The first start creates a database in \`./data\`.

\`\`\`sh
npm install quoin
npx quoin serve --port 4000 --data ./data
\`\`\`

### Check that it runs

1. Open the address it prints.
2. Create a key:
   - with \`quoin keys create\`, or
   - in the dashboard.
3. Keep the key. It is shown **once**.

## Publish a page

A publish takes a snapshot of the page, its settings and its theme.[^1] What is live never changes until
you publish again.

\`\`\`ts
const answer = await fetch('http://localhost:4000/pages/page_k3v9x2m4p7q8r5t6/publish', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.QUOIN_KEY}\` },
})

const { data } = await answer.json()
console.log(data.url) // https://example.com/docs/install
\`\`\`

> [!TIP]
> Add \`?dry_run=true\` to see what would be uploaded, and why.

### States of a page

| From | Request | To | Time, p95 |
| --- | --- | :-: | ---: |
| \`draft\` | \`POST /pages/:id/publish\` | \`published\` | 48 ms |
| \`published\` | \`POST /pages/:id/unpublish\` | \`draft\` | 31 ms |
| \`archived\` | \`PUT /pages/:id\` with a status | \`published\` | 52 ms |

> [!IMPORTANT]
> Slugs are unique within a project and subroute, whatever the status of the page.

> [!WARNING]
> An archived project refuses every write except its own status.

> [!CAUTION]
> Deleting a live page takes it off the site first. There is no way back.

## Before you go live

- [x] Set the site’s origin
- [ ] Point the domain at the bucket

> A quoin is the wedge that locks a page of type into place before it is printed.

<details><summary>What happens when an upload fails?</summary>

What was live stays live. The release is recorded as failed and never goes live afterwards.

</details>

## Write it down

:::tabs
::tab[TypeScript]
\`\`\`ts title="src/publish.ts" showLineNumbers {2,6-7}
import { Quoin } from 'quoin/client'
const quoin = new Quoin({ key: process.env.QUOIN_KEY ?? '', timeout: 5_000 })

/** Publishes a page, and waits until it is live. */
export async function publish(id: string): Promise<string> {
  const { data } = await quoin.pages.publish(id)
  if (data.status !== 'published') throw new Error(\`\${id} is \${data.status}, with a line that is much too long for a small screen\`)
  return data.url // with its slash
}
\`\`\`
::tab[Shell]
\`\`\`sh
# The same, without a client
curl -X POST "$API/pages/$PAGE/publish" -H "Authorization: Bearer $KEY" | jq '.data.url'
\`\`\`
::tab[What comes back]
\`\`\`json
{ "data": { "status": "published", "url": "/docs/install", "took": 48, "first": true } }
\`\`\`
:::

\`\`\`diff title="site.yaml"
 theme: default
-subroute: "guide"
+subroute: "docs/guides"
\`\`\`

\`\`\`html del={2} ins={3}
<main class="page">
  <font color="red">Old</font>
  <strong>New &amp; bold</strong> <!-- for everyone -->
</main>
\`\`\`

:::details How long a publish takes
With $n$ pages in a batch and a store that answers in $t$ ms, about $\\frac{n \\cdot t}{32}$:

$$
T(n) = \\sum_{i=1}^{\\lceil n/32 \\rceil} t_i + \\sqrt{\\sigma^2 + 1}
\\qquad
\\begin{aligned} a &= b + c \\\\ &= \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix} \\end{aligned}
$$
:::

:::tip In your own words
A container may have a title of its own.
:::

### For those who must know

#### A very long identifier without a place to break: QUOIN_CONTENT_URL_OVERRIDE_FOR_EVERY_PROJECT_IN_THIS_INSTALLATION

![Three stages of a deploy: assets, pages, indexes.|1200x480](/images/wide.svg "A page goes up before the indexes that name it")

    indented code has no language

---

Every word after this line is ~~unnecessary~~ a footnote, but for \`QUOIN_DATABASE_URL\` and a table.

| Setting | Default |
| --- | --- |
| \`QUOIN_PORT\` | 4000 |

[^1]: The settings a page was published with stay with it.
`

export const STORY = `
For nine years our documentation lived in a content system that answered every request by asking a
database. It was fine, until it was not: on the morning of the launch the pages took eleven seconds to
appear, and the people who came to read left again.

This is the story of how we moved *two thousand pages* to plain files, what broke on the way, and what we
would do the same way again.

## What we had

Four editors, one staging server, and a cache that nobody dared to clear. A change took between two
minutes and an hour to appear, depending on which of the [edge nodes](https://example.org/) you asked.

> The fastest page is the one that is already written when the reader asks for it.

### The cache

A cache hides how slow a thing is. Ours had hidden it for six years. When it was empty, a page cost 340
queries.

\`\`\`sql
SELECT title, body FROM pages WHERE slug = 'install' AND status = 'published';
\`\`\`

## What we did

- Wrote every page once, at publish time.
- Compared it with what was live, and uploaded only what had changed.
- Kept the last release, so that going back takes one request.

The median page is now 14 KB and takes 38 ms to arrive in Sydney.
`

export const ARABIC = `
يحوّل كوين الصفحات إلى ملفات ثابتة ويضعها على شبكة توصيل المحتوى. تُكتب الصفحة مرة واحدة عند النشر، فلا ينتظر القارئ قاعدة بيانات ولا خادمًا.

## البداية

ثبّت الحزمة ثم شغّل الخدمة. يُنشئ أول تشغيل قاعدة بيانات في المجلد \`./data\`.

\`\`\`sh
npx quoin serve --port 4000
\`\`\`

> [!TIP]
> كل شيء هنا يعمل دون اتصال بالشبكة.

## حالات الصفحة

1. مسودة: لا يراها القراء.
2. منشورة: حيّة على الموقع.
3. مؤرشفة: محفوظة خارج الموقع.

| الحالة | الطلب |
| --- | --- |
| منشورة | \`POST /publish\` |

> أسرع صفحة هي التي كُتبت قبل أن يطلبها القارئ.
`

export const CHINESE = `
Quoin 把页面变成普通文件，并放到 CDN 上。页面在发布时只写一次，读者不必等待数据库。本文介绍我们如何把两千个页面搬到静态文件上，以及途中遇到的问题。

## 安装

安装软件包并启动服务。第一次启动会在 \`./data\` 中创建数据库。按 <kbd>Ctrl</kbd> + <kbd>C</kbd> 停止。

\`\`\`sh
npx quoin serve --port 4000
\`\`\`

> [!WARNING]
> 已归档的项目拒绝所有写入，除了它自己的状态。

## 发布页面

- 草稿：读者看不到。
- 已发布：在网站上可见。

> 最快的页面，是读者请求之前就已经写好的页面。
`
