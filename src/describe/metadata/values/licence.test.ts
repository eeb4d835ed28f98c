import fc from "fast-check";
import list from "spdx-license-list";
import { describe, expect, test } from "vitest";
import { listed, rows } from "../../../../tests/support/listed.ts";
import { knownLicence } from "./licence.ts";

const ids = Object.keys(list);

test("an SPDX id in any case gives its canonical id", () => {
  for (const id of ids) expect(knownLicence(id)?.spdx).toBe(id);
  fc.assert(
    fc.property(fc.mixedCase(fc.constantFrom(...ids)), (text) => {
      const id = ids.find((each) => each.toLowerCase() === text.toLowerCase());
      expect(knownLicence(text)?.spdx).toBe(id);
    }),
  );
});

test("a full name gives the licence of that name", () => {
  for (const { name } of Object.values(list)) expect(knownLicence(name)?.name, name).toBe(name);
});

test.each(rows`
  CC BY 4.0 → CC-BY-4.0 | CC-BY 4.0 → CC-BY-4.0 | Creative Commons Attribution 4.0 → CC-BY-4.0
  Creative Commons Attribution 4.0 International (CC BY 4.0) → CC-BY-4.0 | cc by-sa 4.0 → CC-BY-SA-4.0
  Creative Commons Attribution-ShareAlike 4.0 International → CC-BY-SA-4.0
  CC BY-NC-ND 4.0 International → CC-BY-NC-ND-4.0 | CC0 → CC0-1.0
  CC0 1.0 Universal (CC0 1.0) Public Domain Dedication → CC0-1.0 | CC0 1.0 Universal → CC0-1.0
  MIT License → MIT | The MIT Licence → MIT | MIT + file LICENSE → MIT | MIT License (MIT) → MIT
  Apache 2.0 → Apache-2.0 | Apache License, Version 2.0 → Apache-2.0 | GPLv3 → GPL-3.0-only
  GPL v3 → GPL-3.0-only | GPL-3 → GPL-3.0-only | GNU GPLv3+ → GPL-3.0-or-later
  GNU General Public License v3.0 or later → GPL-3.0-or-later | GPL (>= 3) → GPL-3.0-or-later
  GPL-3+ → GPL-3.0-or-later | GPL version 3 or (at your option) any later version → GPL-3.0-or-later
  GPLv3 (or later) → GPL-3.0-or-later | LGPLv2.1 → LGPL-2.1-only | ODbL → ODbL-1.0 | ODC-ODbL-1.0 → ODbL-1.0
  ODC-By → ODC-By-1.0 | ODC-BY-1.0 → ODC-By-1.0 | BSD 3-Clause → BSD-3-Clause | 3-clause BSD → BSD-3-Clause
  EUPL 1.2 → EUPL-1.2 | GPL (>=2) → GPL-2.0-or-later | LGPL (>= 2.1) → LGPL-2.1-or-later
  AGPL v3 or any later version → AGPL-3.0-or-later | ODC-PDDL-1.0 → PDDL-1.0
  Public Domain Dedication and License (PDDL) → PDDL-1.0 | dl-de/by-2-0 → DL-DE-BY-2.0
`)("%j is %s", (text, id) => {
  expect(knownLicence(text)?.spdx).toBe(id);
});

test.each(rows`
  https://creativecommons.org/licenses/by/4.0/ → CC-BY-4.0
  http://creativecommons.org/licenses/by/4.0/deed.en → CC-BY-4.0
  creativecommons.org/licenses/by/4.0 → CC-BY-4.0
  https://creativecommons.org/licenses/by-sa/4.0/legalcode → CC-BY-SA-4.0
  https://creativecommons.org/publicdomain/zero/1.0/ → CC0-1.0 | https://opensource.org/licenses/MIT → MIT
  https://spdx.org/licenses/Apache-2.0.html → Apache-2.0
  https://www.gnu.org/licenses/gpl-3.0.html → GPL-3.0-only | http://opendatacommons.org/licenses/pddl/ → PDDL-1.0
  https://opendatacommons.org/licenses/pddl/1-0/ → PDDL-1.0
  https://opendatacommons.org/licenses/odbl/1-0/ → ODbL-1.0
  https://opendatacommons.org/licenses/by/1-0/ → ODC-By-1.0 | http://www.govdata.de/dl-de/by-2-0 → DL-DE-BY-2.0
`)("the web address %s gives %s", (url, id) => {
  expect(knownLicence(url)?.spdx).toBe(id);
});

describe("the result", () => {
  test("of an id has the name and the address of the list", () => {
    expect(knownLicence("cc-by-4.0")).toEqual({
      spdx: "CC-BY-4.0",
      name: "Creative Commons Attribution 4.0 International",
      url: "https://creativecommons.org/licenses/by/4.0/legalcode",
    });
  });

  test("of an expression is the expression in canonical case", () => {
    const spdx = "(MIT OR Apache-2.0) AND CC-BY-4.0";
    expect(knownLicence("(mit or APACHE-2.0) and  cc-by-4.0")).toEqual({ spdx, name: spdx });
    expect(knownLicence("gpl-2.0-only with Classpath-exception-2.0")?.spdx).toBe(
      "GPL-2.0-only WITH Classpath-exception-2.0",
    );
    expect(knownLicence("LicenseRef-our-terms")?.spdx).toBe("LicenseRef-our-terms");
  });

  test("of any other web address is that address", () => {
    const url = "https://example.org/terms?id=1";
    expect(knownLicence(url)).toEqual({ name: url, url });
  });
});

test.each([
  ...listed`
    all rights reserved | CC BY 4.0 (non-commercial) | CC BY 4.0 (NC) | CC BY 4.0 (CC BY-NC 4.0) | GPL (> 2)
    GPL (< 3) | MIT (without the word software) | CC BY | public domain | MIT OR | ftp://x.example/ | https://
    javascript:alert(1) | constructor | __proto__
  `,
  ...["", "GPL-2 | GPL-3", "(".repeat(1_000), "MIT ".repeat(250)],
])("%j is not known", (text) => {
  expect(knownLicence(text)).toBeUndefined();
});
