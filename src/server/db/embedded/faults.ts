// Why the embedded PostgreSQL cannot have its data directory, in words that say what to do.

import { codeOf, DatabaseStartError } from '../errors.ts'

/** Turns a failure of the file system, or a complaint of PostgreSQL about it, into French words with a remedy. */
export function explainDataDir(dataDir: string, error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error
  const text = error instanceof Error ? error.message : String(error)
  const { cause, remedy } =
    explanations.find(({ code, words }) => code.includes(codeOf(error) ?? '') || words.test(text)) ??
    unexplained(text)
  return new DatabaseStartError(
    `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : ${cause}. ${remedy}`,
    {
      cause: error,
    },
  )
}

const explanations = [
  {
    code: ['ENOTDIR', 'EEXIST'],
    words: /not a directory/i,
    cause: 'c’est un fichier, pas un dossier',
    remedy: 'Indiquez un dossier dans DATA_DIR, ou déplacez ce fichier.',
  },
  {
    code: ['EROFS'],
    words: /read-only file system/i,
    cause: 'le système de fichiers est en lecture seule',
    remedy: 'Indiquez dans DATA_DIR un dossier où l’on peut écrire.',
  },
  {
    code: [],
    words: /ENOENT.*mkdir/,
    cause: 'aucun dossier ne peut être créé à cet endroit',
    remedy: 'Indiquez dans DATA_DIR un dossier où l’on peut écrire.',
  },
  {
    code: ['EACCES', 'EPERM'],
    words: /permission denied|operation not permitted|has wrong ownership|invalid permissions/i,
    cause: 'les droits de ce dossier ne permettent pas d’y écrire',
    remedy: 'Donnez-les à l’utilisateur qui lance Ntalo, ou indiquez un autre dossier dans DATA_DIR.',
  },
  {
    code: ['ENOSPC', 'EDQUOT'],
    words: /no space left|disk quota exceeded/i,
    cause: 'le disque est plein',
    remedy: 'Libérez de la place, ou indiquez dans DATA_DIR un dossier sur un autre disque.',
  },
  {
    code: [],
    words: /could not look up effective user/i,
    cause: 'l’utilisateur qui lance Ntalo n’a pas d’entrée dans /etc/passwd, et PostgreSQL l’exige',
    remedy: 'Ajoutez-la, ou indiquez un serveur PostgreSQL dans DATABASE_URL.',
  },
]

function unexplained(text: string) {
  return {
    cause: text.trim().split('\n').at(-1) ?? '',
    remedy: 'Le détail est dans le journal postgres.log de ce dossier.',
  }
}
