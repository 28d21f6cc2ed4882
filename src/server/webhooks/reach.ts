// Addresses that a request to a third party may reach. A name may resolve to an address of the internal network.

import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Allowed destinations. Only tests use another one than `publicInternet`. */
export type Reach = {
  allows(address: string): boolean
  protocols: readonly string[]
  /** Allowed ports; all when absent. */
  ports?: readonly string[]
  /** Resolves names; the system's resolver when absent. */
  lookup?: LookupFunction
}

const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  // Teredo and other protocols, documentation, 6to4; some of them embed an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6')
}
// All other IPv6 addresses are local, mapped, translated or unassigned.
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is public, according to IANA's registries of special-purpose addresses. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

export const publicInternet: Reach = {
  allows: isPublicAddress,
  protocols: ['https:'],
  ports: ['443', '8443'],
}

/** Returns in French why requests to a URL are refused; null when it is allowed, apart from the lookup of its name. */
export function refusalOfUrl(address: string, { allows, protocols, ports }: Reach): string | null {
  const url = URL.parse(address)
  if (!url || !protocols.includes(url.protocol)) return 'Une adresse https:// est attendue.'
  if (url.username || url.password) return 'Une adresse sans nom d’utilisateur ni mot de passe est attendue.'
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (ports && !ports.includes(port)) return `Ports possibles\u00a0: ${ports.join(' ou ')}.`
  const host = hostOf(url)
  if (isIP(host) !== 0 && !allows(host)) return unreachable
  if (isIP(host) === 0 && protocols.length === 1 && !host.includes('.')) return unreachable
  return null
}

const unreachable = 'Cette adresse n’est pas sur l’internet public.'

/** Returns a `lookup` option for requests that checks the resolved addresses; the request connects to those. */
export function checkedLookup({ allows, lookup = systemLookup }: Reach): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
      if (addresses.length === 0 || !addresses.every(({ address }) => allows(address))) {
        return callback(new Error('Ce nom mène à une adresse qui n’est pas publique.'), [])
      }
      const [first] = addresses
      return options.all ? callback(null, addresses) : callback(null, first!.address, first!.family)
    })
  }
}

/** Returns the host of a URL, an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
