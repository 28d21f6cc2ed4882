import { DatabaseStartError } from '../errors.ts'

/** Converts an error of the file system, or PostgreSQL's message about it, to an error in French with a remedy. */
export function explainDataDir(dataDir: string, cause: unknown): DatabaseStartError {
  if (cause instanceof DatabaseStartError) return cause
  const text = cause instanceof Error ? cause.message : String(cause)
  const explanation = explanations.find(([words]) => words.test(text))?.[1]
  const why =
    explanation ?? `${text.trim().split('\n').at(-1)} (le détail est dans son journal, postgres.log)`
  return new DatabaseStartError(
    `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : ${why}. Indiquez dans DATA_DIR un autre dossier, où l’on peut écrire, ou un serveur PostgreSQL dans DATABASE_URL.`,
    { cause },
  )
}

// The patterns match messages of Node (which begin with the error's code), of mkdir and of PostgreSQL.
const explanations: [words: RegExp, cause: string][] = [
  [/ENOTDIR|not a directory|file exists/i, 'c’est un fichier, pas un dossier'],
  [/EROFS|read-only file system/i, 'le système de fichiers est en lecture seule'],
  [/cannot create directory.*no such file/i, 'aucun dossier ne peut être créé à cet endroit'],
  [
    /EACCES|EPERM|permission denied|operation not permitted|has wrong ownership|invalid permissions/i,
    'les droits de ce dossier ne permettent pas d’y écrire à l’utilisateur qui lance Ntalo',
  ],
  [/ENOSPC|EDQUOT|no space left|disk quota exceeded/i, 'le disque est plein'],
  [/PG_VERSION/, 'le dossier « postgres » qui s’y trouve n’est pas une base de PostgreSQL 18'],
  [/could not look up effective user/i, 'l’utilisateur qui lance Ntalo manque dans /etc/passwd'],
]
