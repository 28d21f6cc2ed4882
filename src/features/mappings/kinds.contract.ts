import { z } from 'zod'

/** What files may bring. */
export const importKind = z.enum(['prices', 'products', 'rates'], 'Ce genre d’import n’existe pas')
export type ImportKind = z.infer<typeof importKind>
