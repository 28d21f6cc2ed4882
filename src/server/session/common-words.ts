/** Words common in local passwords, without accents: everyday words, places, months. */
export const commonWords: readonly string[] = `
  bonjour bonsoir salut bienvenue motdepasse azerty azertyuiop qwerty qwertyuiop admin administrateur utilisateur secret
  soleil amour jetaime moncoeur coeur cheri cherie bebe maman papa famille doudou chouchou loulou princesse
  jesus christ seigneur dieu jehovah amen alleluia benediction emmanuel prophete mungu nzambe
  football chelsea barcelone arsenal liverpool mazembe vclub leopards
  congo rdcongo zaire kinshasa lubumbashi goma bukavu kisangani mbandaka matadi kananga mbujimayi kolwezi likasi boma
  bunia butembo beni uvira kindu kikwit bandundu kalemie tshikapa isiro gemena katanga kivu kasai bakongo equateur ituri
  kongo tanganyika maniema lomami lualaba sankuru tshopo tshuapa mongala kwango kwilu gombe limete ngaliema masina lemba
  afrique brazzaville france paris belgique bruxelles
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
  lundi mardi mercredi jeudi vendredi samedi dimanche
  boutique commerce argent dollar franc
  password welcome hello iloveyou letmein monday sunday january
  mbote losako jambo karibu moyo bolingo nalingi mwana`
  .trim()
  .split(/\s+/)
