// The cities that the third and fourth lesson end with, for their pictures.

export const ENCLOSED: Record<string, string> = {
  "0,0": "start-alhambra",
  "-1,0": "garden-8-NW",
  "0,1": "chambers-9-S",
  "-1,1": "arcades-6-SW",
};
export const REBUILT: Record<string, string> = { ...ENCLOSED, "0,-1": "pavilion-5-NW", "1,-1": "tower-11-N" };

const enclosed = ["-1,0 N", "-1,0 W", "-1,1 W", "-1,1 S", "0,1 S"];
export const TRACES = { enclosed, rebuilt: [...enclosed, "0,-1 W", "0,-1 N", "1,-1 N"] };
