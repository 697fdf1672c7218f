/** A note about a site without a page at its address. */
export const NO_FRONT_PAGE =
  'The site has no front page: its address shows the page for unknown paths. Add index.md or index.yaml.'
