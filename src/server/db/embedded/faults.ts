// Why the embedded PostgreSQL cannot have its data directory, in words that say what to do.

import { DatabaseStartError } from '../errors.ts'

/** Turns a failure of the file system, or a complaint of PostgreSQL about it, into French words with a remedy. */
export function explainDataDir(dataDir: string, error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error
  const text = error instanceof Error ? error.message : String(error)
  const known = explanations.find(([words]) => words.test(text))?.[1]
  const last = text.trim().split('\n').at(-1)
  const cause = known ?? `${last}. Le détail est dans le journal postgres.log de ce dossier.`
  return new DatabaseStartError(`DATA_DIR (${dataDir}) ne peut pas contenir la base de données : ${cause}`, {
    cause: error,
  })
}

// The words are those of Node (whose messages begin with the error's code), of mkdir and of PostgreSQL.
const explanations: [words: RegExp, causeAndRemedy: string][] = [
  [
    /ENOTDIR|not a directory|file exists/i,
    'c’est un fichier, pas un dossier. Indiquez un dossier dans DATA_DIR, ou déplacez ce fichier.',
  ],
  [
    /EROFS|read-only file system/i,
    'le système de fichiers est en lecture seule. Indiquez dans DATA_DIR un dossier où l’on peut écrire.',
  ],
  [
    /cannot create directory.*no such file/i,
    'aucun dossier ne peut être créé à cet endroit. Indiquez dans DATA_DIR un dossier où l’on peut écrire.',
  ],
  [
    /EACCES|EPERM|permission denied|operation not permitted|has wrong ownership|invalid permissions/i,
    'les droits de ce dossier ne permettent pas d’y écrire. Donnez-les à l’utilisateur qui lance Ntalo, ou indiquez un autre dossier dans DATA_DIR.',
  ],
  [
    /ENOSPC|EDQUOT|no space left|disk quota exceeded/i,
    'le disque est plein. Libérez de la place, ou indiquez dans DATA_DIR un dossier sur un autre disque.',
  ],
  [
    /PG_VERSION/,
    'le dossier « postgres » qui s’y trouve n’est pas une base de PostgreSQL 18. Déplacez-le, ou indiquez un autre dossier dans DATA_DIR.',
  ],
  [
    /could not look up effective user/i,
    'l’utilisateur qui lance Ntalo n’a pas d’entrée dans /etc/passwd, et PostgreSQL l’exige. Ajoutez-la, ou indiquez un serveur PostgreSQL dans DATABASE_URL.',
  ],
]
