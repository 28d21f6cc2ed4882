const areas: readonly [label: string, ...prefixes: string[]][] = [
  ['Produits et marchés', 'catalogue', 'markets'],
  ['Prix', 'prices', 'collection', 'rates', 'statistics'],
  ['Abonnements et paiements', 'plans', 'subscriptions', 'payments', 'access'],
  ['Utilisateurs', 'users', 'roles', 'superadmins', 'journal'],
]

/** Groups permissions by part of the platform: `prices.write` belongs to « Prix ». */
export function byArea<P extends { name: string }>(
  permissions: readonly P[],
): { label: string; permissions: P[] }[] {
  const areaOf = ({ name }: P) =>
    areas.find(([, ...prefixes]) => prefixes.includes(name.split('.')[0] ?? ''))?.[0]
  return [...areas.map(([label]) => label), undefined]
    .map((label) => ({
      label: label ?? 'Autres',
      permissions: permissions.filter((permission) => areaOf(permission) === label),
    }))
    .filter((area) => area.permissions.length > 0)
}
