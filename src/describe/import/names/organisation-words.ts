/** Words that names of organisations contain and names of persons do not. “Amt” alone is a family name. */
const WORDS = String.raw`
  academy academi\p{L}* académie agency agencia agentur alliance anonymous anstalt archive[s]? archiv arbeitsgruppe
  association asociaci[oó]n associazione authority biblioth[eè]que biblioteca board bureau clinic collaboration
  collaborators college commission committee company consorti\p{L}* consejo contributors consiglio cooperative
  corporation council department dept departamento dipartimento département directorate division facility facult\p{L}*
  federation fondation fondazione foundation fundaci[oó]n forschungsgruppe gmbh group groupe gruppo herbarium hospital
  hôpital inc infrastructure initiative institut\p{L}* istituto instytut laborator\p{L}* laboratoire lab labs library
  llc ltd ministry ministère ministerio museum musée museo network observator\p{L}* office organi[sz]ation partnership
  plc platform programme program project projekt repository research school sciences section secretariat services
  society società soci[eé]t[eé] sociedad station statistics survey taskforce team trust union unit universi\p{L}*
  uniwersytet univ univerzita verein working cent(?:re|er)[s]? centro e\.v \p{L}{4,}amt
`;
/** German writes the kind of an organisation at the end of a compound. */
const ENDS = `
  akademie anstalt bibliothek forschung gemeinschaft gesellschaft hochschule institut klinik klinikum ministerium
  museum netzwerk stiftung universität verband verbund zentrale zentrum abteilung behörde referat stelle
`;
const anyOf = (words: string) => `(?:${words.trim().split(/\s+/).join("|")})`;
const WORD = new RegExp(`^(?:${anyOf(WORDS)}|\\p{L}*${anyOf(ENDS)}\\p{L}{0,2})$`, "iu");
/** Words that connect parts of the name of an organisation. Those of names of persons, such as “de”, are not among them. */
const CONNECTING = /^(?:of|for|the|für|pour|para|per|on|fuer)$/;
/** Names in one word of capitals: “EMBL”. */
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}&/-]+$/u;

/** Whether a name contains words that only names of organisations have. */
export function namesOrganisation(name: string): boolean {
  const words = wordsOf(name);
  if (ACRONYM.test(name.trim())) return true;
  if (words.length === 1) return WORD.test(words[0] ?? "");
  return words.some((word, index) => WORD.test(word) || (index > 0 && CONNECTING.test(word))) || /^the /i.test(name);
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 1_000)
    .split(/[\s,;:/()[\]-]+/)
    .map((word) => word.replace(/[.’']$/, ""))
    .filter((word) => word !== "");
}
