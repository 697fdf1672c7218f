/** The path of the page that a site shows for unknown paths. Without such a page the theme has one. */
export const NOT_FOUND_PATH = '/404'

/** The document for unknown paths. Web servers and hosts look for it by this name. */
export const NOT_FOUND_FILE = '404.html'
