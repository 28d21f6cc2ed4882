import { z } from 'zod'

/** The kinds of content of an imported file. */
export const importKind = z.enum(['prices', 'products', 'rates'], 'Ce genre d’import n’existe pas')
export type ImportKind = z.infer<typeof importKind>
