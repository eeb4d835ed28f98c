/** Metadata of the demo. The dataset and its author (the example researcher of orcid.org) are fictitious. */
export const DEMO_METADATA = {
  title: "Wheat under two irrigation regimes: soil, leaf and root measurements, 2026",
  description:
    "Hourly soil moisture, air temperature and leaf area index of 24 plots of winter wheat under full and reduced irrigation, with photographs of leaves, scans of roots and raw spectrometer runs. A fictitious field trial to try Accession. All values are generated.",
  authors: [
    {
      role: "Creator",
      firstName: "Josiah",
      lastName: "Carberry",
      orcid: "0000-0002-1825-0097",
      affiliation: "Brown University",
      rorid: "https://ror.org/05gq02987",
      country: "US",
    },
  ],
  language: "en",
  subjects: ["winter wheat", "irrigation", "plant phenotyping", "soil moisture"],
  license: "CC-BY-4.0",
};
