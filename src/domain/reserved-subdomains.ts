/** Names that suggest the service itself to visitors, or have a meaning in DNS, mail and browsers. */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app auth autoconfig autodiscover billing cdn console cpanel
  dashboard dns email ftp host hostmaster imap internal isatap localhost login logout mail mailer-daemon
  manage mta-sts mx noc no-reply noreply ns ns1 ns2 ns3 ns4 oauth owner password pay payment payments pop pop3
  postmaster proxy quoin register root secure security server service sftp signin signup smtp sso ssl
  static status support sysadmin system webadmin webhook webhooks webmail webmaster wpad www www1 www2
  www3`.split(/\s+/),
)

/** True also for names in Punycode, which browsers can show as another name. */
export function isReservedSubdomain(subdomain: string): boolean {
  return RESERVED.has(subdomain) || subdomain.startsWith('xn--')
}
