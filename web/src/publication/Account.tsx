import { visible } from "../ui/text/format.ts";

/** The short name of an account: those of an identity provider consist of its address, “#” and the name of the user. */
export function shortName(account: string): string {
  return visible(account.split("#").at(-1) || account);
}

/** The name of an account; the tooltip shows all of it. */
export function Account({ name }: { name: string }) {
  return <bdi title={visible(name)}>{shortName(name)}</bdi>;
}
