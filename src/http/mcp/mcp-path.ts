/** Reports whether errors at a path are messages of the Model Context Protocol. */
export function isMcpPath(path: string): boolean {
  return /^(?:\/public\/[^/]+)?\/mcp\/?$/i.test(path)
}
