import { stringify } from 'yaml'
import type { SettingName } from '../../app/config.ts'
import { nameInFile } from '../../app/config-file.ts'

/* The files that run Quoin on a server of one's own. Each is complete: nothing has to be filled in. */

/** The values in the files of a server. */
export interface ServerSetUp {
  /** The host of the API and the dashboard. */
  readonly domain: string
  /** The domain whose subdomains are sites; null for none. */
  readonly sitesDomain: string | null
  readonly https: HttpsBy
  /** For the authority that issues certificates; null for none. */
  readonly email: string | null
  /** The port at which the service listens behind a proxy. */
  readonly port: number
  /** The system user that the service runs as. */
  readonly user: string
  /** Absolute paths of Node.js and of the compiled command. */
  readonly node: string
  readonly program: string
  /** Folders outside of the home of the service that it writes, absolute. */
  readonly folders: readonly string[]
  /** By environment variable. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>
}

/**
 * Program that ends TLS: a proxy with ordered (`caddy`) or given (`nginx`) certificates, or the service with certificates
 * from an authority (`acme`) or its own (`quoin`).
 */
export type HttpsBy = (typeof HTTPS_BY)[number]
export const HTTPS_BY = ['caddy', 'nginx', 'acme', 'quoin'] as const

/** Reports whether the service itself listens at the ports of the web. */
function isEndedByService(https: HttpsBy): boolean {
  return https === 'quoin' || https === 'acme'
}

export const CONFIG_PATH = '/etc/quoin/quoin.config.yaml'
/** Largest upload, with some room for the rest of its form. In MB. */
const MOST_BODY = 110

/** The settings of the service, as `--config` reads them. */
export function configText({ https, domain, port, settings }: ServerSetUp): string {
  const listening: Partial<Record<SettingName, string>> = isEndedByService(https)
    ? { QUOIN_HOST: '0.0.0.0', QUOIN_PORT: '443' }
    : { QUOIN_HOST: '127.0.0.1', QUOIN_PORT: String(port), QUOIN_TRUST_PROXY: '127.0.0.1' }
  const all = { QUOIN_BASE_URL: `https://${domain}`, ...listening, ...settings }
  const entries = Object.entries(all).map(([name, value]) => [
    nameInFile(name as SettingName),
    /^\d+$/.test(value) ? Number(value) : value,
  ])
  return `# Settings of Quoin. quoin serve --help lists all of them; an environment variable wins over this file.\n${stringify(Object.fromEntries(entries), { lineWidth: 0 })}`
}

/**
 * A unit for systemd. The service can write its data and nothing else, and gains no rights. `MemoryDenyWriteExecute` is
 * not among the limits: Node.js compiles code while it runs.
 */
export function unitText({ user, node, program, folders, https }: ServerSetUp): string {
  const capability = isEndedByService(https) ? 'CAP_NET_BIND_SERVICE' : ''
  // A home that is hidden could hide the program or the data.
  const needsHome = [node, program, ...folders].some(isInHome)
  return `[Unit]
Description=Quoin, a publishing service
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${user}
Group=${user}
StateDirectory=quoin
StateDirectoryMode=0700
WorkingDirectory=/var/lib/quoin
Environment=NODE_ENV=production
Environment=QUOIN_CONFIG=${CONFIG_PATH}
ExecStart=${escaped(node)} ${escaped(program)} serve
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2
# The service finishes running requests within 20 s.
TimeoutStopSec=30
KillMode=mixed
LimitNOFILE=65536
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
${folders.map((folder) => `ReadWritePaths=${escaped(folder)}\n`).join('')}ProtectHome=${needsHome ? 'read-only' : 'yes'}
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
}

/** Files of Quoin next to the Caddyfile, which imports them, and the script to install both. */
export const CADDY_FILES = {
  options: 'caddy-options',
  sites: 'caddy-sites',
  script: 'add-to-caddy.sh',
} as const

/**
 * Global options of Caddy, for the first block of the Caddyfile: it gets a certificate for each name when it is first
 * visited, once the service says that the name is one of its own. Options that follow in the Caddyfile win.
 */
export function caddyOptions({ email, port }: ServerSetUp): string {
  return `${email === null ? '' : `email ${email}\n`}on_demand_tls {
	ask http://127.0.0.1:${port}/internal/tls-ask
}
`
}

/** The sites of Caddy: the service, and all names that no other site has. */
export function caddySites({ domain, port }: ServerSetUp): string {
  return `${domain} {
	@internal path /metrics /internal/*
	respond @internal 404
	reverse_proxy 127.0.0.1:${port}
}

# Domains of projects, and subdomains of sites.
https:// {
	tls {
		on_demand
	}
	@internal path /metrics /internal/*
	respond @internal 404
	reverse_proxy 127.0.0.1:${port}
}
`
}

/** Script that imports both files in the Caddyfile, unless Caddy rejects the result. Other lines stay. */
export function caddyScript(): string {
  const { options, sites } = CADDY_FILES
  return `#!/bin/sh
# Adds Quoin to Caddy: two files of its own, and the lines of the Caddyfile that import them. Nothing else changes.
set -eu
caddyfile=\${1:-/etc/caddy/Caddyfile}
here=$(dirname "$0")
own=$(dirname "$caddyfile")/quoin
mkdir -p "$own"
install -m 644 "$here/${options}" "$own/options"
install -m 644 "$here/${sites}" "$own/sites"
[ -e "$caddyfile" ] || : >"$caddyfile"
if grep -q '^import quoin/sites$' "$caddyfile"; then exit 0; fi
new=$caddyfile.with-quoin
# Global options are the first block, which has no name. A Caddyfile may have none.
awk '
	found || /^[[:space:]]*(#.*)?$/ { print; next }
	/^[[:space:]]*[{][[:space:]]*(#.*)?$/ { print; print "\\timport quoin/options"; found = 1; next }
	{ print "{\\n\\timport quoin/options\\n}\\n"; print; found = 1 }
	END { if (!found) print "{\\n\\timport quoin/options\\n}"; print "\\nimport quoin/sites" }
' "$caddyfile" >"$new"
# Unlike validate, this opens no log files as root.
if caddy adapt --adapter caddyfile --config "$new" >"$new.log" 2>&1; then
	# Not renamed, so that the file keeps its owner and mode.
	cat "$new" >"$caddyfile"
	rm "$new" "$new.log"
else
	tail -n 1 "$new.log" >&2
	rm "$new" "$new.log"
	echo "Caddy refuses $caddyfile with Quoin, so it is as it was. Import quoin/options in its global options, and quoin/sites after them." >&2
	exit 1
fi
`
}

/** A site of nginx for each domain, with the certificates that certbot stores. */
export function nginxText({ domain, sitesDomain, port }: ServerSetUp): string {
  const redirects = [domain, ...(sitesDomain === null ? [] : [`*.${sitesDomain}`])]
  return `server {
	listen 80;
	listen [::]:80;
	server_name ${redirects.join(' ')};
	return 308 https://$host$request_uri;
}

${nginxServer(domain, domain, port)}${sitesDomain === null ? '' : `\n${nginxServer(`*.${sitesDomain}`, sitesDomain, port)}`}`
}

function nginxServer(name: string, certificate: string, port: number): string {
  return `server {
	listen 443 ssl http2;
	listen [::]:443 ssl http2;
	server_name ${name};
	ssl_certificate /etc/letsencrypt/live/${certificate}/fullchain.pem;
	ssl_certificate_key /etc/letsencrypt/live/${certificate}/privkey.pem;
	client_max_body_size ${MOST_BODY}m;

	location ~ ^/(metrics$|internal/) {
		return 404;
	}

	location / {
		proxy_pass http://127.0.0.1:${port};
		proxy_http_version 1.1;
		proxy_request_buffering off;
		proxy_set_header Host $host;
		proxy_set_header X-Forwarded-Proto $scheme;
		proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
		proxy_set_header Connection "";
	}
}
`
}

/** A path as one argument in a unit. */
function escaped(path: string): string {
  return path.replaceAll('\\', '\\\\').replaceAll(' ', '\\x20').replaceAll('%', '%%')
}

/** Reports whether a path is in the packages of a project, and not in the packages that npm installs for all users. */
export function isInProject(path: string): boolean {
  const [first, ...others] = path.split('/node_modules/')
  return others.length > 1 || (others.length === 1 && !first?.endsWith('/lib'))
}

/** Reports whether a path is in the home folder of a user. */
export function isInHome(path: string): boolean {
  return /^\/(home|root)\//.test(path)
}
