/** Images of the sample pages by file name, drawn inline so that nothing is loaded from elsewhere. */
export const SAMPLE_IMAGES: Readonly<Record<string, string>> = {
  'app.svg': app('#ffffff', '#e6e9f0', '#c9d0dd', '#3f6df6'),
  'app-dark.svg': app('#11151d', '#222937', '#38425a', '#7fa2ff'),
  'cover.svg': cover(),
  'wide.svg': stages(),
  'avatar.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect width="80" height="80" fill="#d9b99b"/><circle cx="40" cy="32" r="15" fill="#7a4a2b"/><path d="M8 80c4-22 18-30 32-30s28 8 32 30z" fill="#2f4858"/></svg>`,
  'icon.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M4 26 28 6v20z" fill="#1f4fe0"/></svg>`,
}

function app(paper: string, line: string, ink: string, accent: string): string {
  const rows = [0, 1, 2, 3, 4, 5].map(
    (row) =>
      `<rect x="300" y="${210 + row * 62}" width="${560 - (row % 3) * 90}" height="14" rx="7" fill="${ink}"/><rect x="300" y="${234 + row * 62}" width="${380 + (row % 2) * 120}" height="10" rx="5" fill="${line}"/><circle cx="1090" cy="${226 + row * 62}" r="9" fill="${row % 3 === 1 ? line : accent}"/>`,
  )
  const links = [0, 1, 2, 3, 4, 5, 6].map(
    (row) =>
      `<rect x="44" y="${150 + row * 46}" width="${150 - (row % 3) * 28}" height="12" rx="6" fill="${row === 1 ? accent : line}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 750"><rect width="1200" height="750" fill="${paper}"/><path d="M0 72h1200M240 72v678" stroke="${line}" stroke-width="2"/><circle cx="40" cy="36" r="8" fill="${line}"/><circle cx="66" cy="36" r="8" fill="${line}"/><circle cx="92" cy="36" r="8" fill="${line}"/>${links.join('')}<rect x="300" y="124" width="320" height="30" rx="8" fill="${ink}"/><rect x="960" y="120" width="160" height="40" rx="10" fill="${accent}"/>${rows.join('')}</svg>`
}

function cover(): string {
  const hills = ['#29457a', '#1e3560', '#142546'].map(
    (fill, at) =>
      `<path d="M0 ${420 + at * 90}c200-${140 - at * 30} 420 60 700-40s520-60 900 40v500H0z" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900"><defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#f6b38a"/><stop offset="1" stop-color="#6b7fb8"/></linearGradient></defs><rect width="1600" height="900" fill="url(#sky)"/><circle cx="1180" cy="300" r="90" fill="#ffe3c2"/>${hills.join('')}</svg>`
}

function stages(): string {
  const boxes = ['assets', 'pages', 'indexes'].map(
    (name, at) =>
      `<rect x="${90 + at * 370}" y="150" width="280" height="180" rx="18" fill="#fff" stroke="#98a2b8" stroke-width="3"/><text x="${230 + at * 370}" y="252" font-family="sans-serif" font-size="34" text-anchor="middle" fill="#27324a">${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 480"><rect width="1200" height="480" fill="#eef1f7"/><path d="M370 240h90M740 240h90" stroke="#98a2b8" stroke-width="4"/>${boxes.join('')}</svg>`
}
