import { Fragment } from "react";
import common from "../Common.module.css";
import { visible } from "./format.ts";

/** A name from outside the page: with invisible characters made visible, and isolated from the surrounding text. */
export function Name({ children }: { children: string }) {
  return <bdi>{visible(children)}</bdi>;
}

/** The key of an object. */
export function KeyName({ children }: { children: string }) {
  return (
    <code>
      <Name>{children}</Name>
    </code>
  );
}

/** A path that is broken after its slashes, where it has any. */
export function PathName({ path }: { path: string }) {
  const parts = visible(path).split(/(?<=\/)/);
  return (
    <bdi>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never change their order.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

interface Props {
  /** The objects to show. */
  lines: readonly { key: string; words: string }[];
  /** Says how many objects are not shown; undefined if all are. */
  more?: string | undefined;
}

/** A list of objects by their keys, each with a note. */
export function NamedObjects({ lines, more }: Props) {
  return (
    <ul className={`${common.list} ${common.named}`}>
      {lines.map(({ key, words }) => (
        <li key={key}>
          <KeyName>{key}</KeyName>{" "}
          <span>
            <Name>{words}</Name>
          </span>
        </li>
      ))}
      {more !== undefined && <li>{more}</li>}
    </ul>
  );
}
