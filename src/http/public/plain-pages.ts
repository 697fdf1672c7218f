/** The 404 page for a site without `404.html`, and for sites that cannot be shown. */
export const NOT_FOUND_PAGE = plainPage('Page not found', 'Nothing is published at this address.')

/** The 503 page while the store does not respond. */
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
