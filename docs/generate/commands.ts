import type { Command } from "commander";
import { generated } from "./table.ts";

const WIDTH = 100;

/** docs/commands.md: what every verb says of itself. */
export function commandsPage(program: Command): string {
  const verbs = program.commands.flatMap(withSubcommands).map((command) => {
    return `## ${fullName(command)}\n\n${block(helpOf(command))}`;
  });
  return `${generated("the commands’ own help")}

# Commands

In a checkout a command is \`npm run --silent accession -- VERB …\`. What each prints with \`--help\` is all that there is
to say of it; settings are in [configuration.md](configuration.md).

${block(helpOf(program))}

${verbs.join("\n\n")}
`;
}

/** A command that only holds others says nothing that they do not say. */
function withSubcommands(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(withSubcommands);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (more) => {
      text += more;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}

const block = (text: string) => `\`\`\`text\n${text.trim()}\n\`\`\``;
