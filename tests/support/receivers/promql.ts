import { parser } from "@prometheus-io/lezer-promql";

/** The selectors and grouping labels of an expression. */
export interface Expression {
  selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[];
  /** Labels of `by` clauses. */
  grouping: string[];
}

/** Reads an expression of Prometheus with Prometheus’ own grammar. @throws Error if it is invalid */
export function readExpression(text: string): Expression {
  // A variable that Grafana replaces.
  const expression = text.replaceAll("$__rate_interval", "5m");
  const read: Expression = { selectors: [], grouping: [] };
  const textOf = (node: { from: number; to: number }) => expression.slice(node.from, node.to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`Not an expression: ${expression} at ${node.from}`);
      const parent = node.node.parent;
      if (node.name === "VectorSelector") read.selectors.push({ metric: "", matchers: [] });
      if (node.name === "Identifier" && parent?.name === "VectorSelector") {
        Object.assign(read.selectors.at(-1) ?? {}, { metric: textOf(node) });
      }
      if (node.name === "UnquotedLabelMatcher") {
        const [, label = "", operator = "", value = ""] = /^(\w+)\s*(\W+?)\s*"(.*)"$/.exec(textOf(node)) ?? [];
        read.selectors.at(-1)?.matchers.push({ label, operator, value });
      }
      if (node.name === "LabelName" && parent?.name === "GroupingLabels") read.grouping.push(textOf(node));
    },
  });
  return read;
}
