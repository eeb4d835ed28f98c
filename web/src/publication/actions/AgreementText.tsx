import type { components } from "@accession/client";
import { Title } from "@mantine/core";
import { visibleLines } from "../../ui/format.ts";
import { blocksOf } from "../markdown.ts";

/** A deposit agreement. Headings, lists and paragraphs are formatted; other Markdown is shown as it is written. */
export function AgreementText({ agreement }: { agreement: components["schemas"]["DepositAgreement"] }) {
  const blocks = blocksOf(visibleLines(agreement.text));
  return (
    <div lang={agreement.language}>
      {blocks.map((block) => {
        const key = `${block.kind} ${block.line}`;
        if (block.kind === "heading") {
          return (
            <Title key={key} order={3} size="h5">
              {block.text}
            </Title>
          );
        }
        if (block.kind === "paragraph") return <p key={key}>{block.text}</p>;
        const items = block.items.map(({ text, line }) => <li key={line}>{text}</li>);
        return block.kind === "numbered" ? (
          <ol key={key} start={block.start}>
            {items}
          </ol>
        ) : (
          <ul key={key}>{items}</ul>
        );
      })}
    </div>
  );
}
