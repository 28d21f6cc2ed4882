/**
 * Returns the origin of this site: the configured one, otherwise the one that the request was sent to.
 *
 * @param publicUrl null when not configured
 */
export function siteOrigin(
  { protocol, host }: { protocol: string; host: string },
  publicUrl: string | null,
): string {
  return publicUrl ?? `${protocol}://${host}`
}
