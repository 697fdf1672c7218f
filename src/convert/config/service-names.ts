/** Names of services by their icons, for links that show an icon alone. */
const SERVICES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  codeberg: 'Codeberg',
  docker: 'Docker',
  python: 'PyPI',
  x: 'X',
  twitter: 'Twitter',
  discord: 'Discord',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  slack: 'Slack',
  npm: 'npm',
  bluesky: 'Bluesky',
  reddit: 'Reddit',
  facebook: 'Facebook',
  instagram: 'Instagram',
  telegram: 'Telegram',
  rss: 'RSS',
}

/** The name of the service with an icon such as `github` or `fontawesome/brands/x-twitter`. The icon's own for an unknown one. */
export function serviceName(icon: string): string {
  const name = icon.split('/').at(-1) ?? icon
  return SERVICES[name] ?? SERVICES[name.replace(/-.*$/, '')] ?? name
}
