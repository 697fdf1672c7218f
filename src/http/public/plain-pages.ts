/** What a visitor sees where a site has no `404.html` of its own, or must not be seen at all. */
export const NOT_FOUND_PAGE = plainPage('Page not found', 'Nothing is published at this address.')

/** What a visitor sees while the store that holds the site does not answer. */
export const UNAVAILABLE_PAGE = plainPage(
  'Not available right now',
  'This site cannot be read at the moment. Please try again in a few seconds.',
)

function plainPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; font: 1.125rem/1.6 system-ui, sans-serif }
h1 { margin: 0; font-size: 2rem; line-height: 1.2 }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
}
