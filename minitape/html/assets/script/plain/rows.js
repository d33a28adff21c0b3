// The sources of a run as rows of a map: grouped by layer, under or beside its name, as high as space permits.

const HEADING = 15, GAP = 2, LOWEST = 3, HIGHEST = 24, READABLE = 11; // for letters of the usual size

// Each line of the map: a heading with a `text`, or a `row` of the run with its `name`; with its `top` and `height`.
// If rows are too low for their own names, the headings are next to them and have no height.
export const linesOf = (rows, room, unit = 1) => {
  const layers = new Map();
  rows.forEach((row, k) => {
    if (!layers.has(row.layer)) layers.set(row.layer, []);
    layers.get(row.layer).push(k);
  });
  const isHeaded = (layer) => layer !== "" && layers.get(layer).length > 1;
  const headings = [...layers.keys()].filter(isHeaded).length;
  const heightWith = (heading) => Math.floor((room - headings * heading) / Math.max(rows.length, 1));
  const isReadable = heightWith(HEADING * unit) >= READABLE * unit;
  const height = Math.max(LOWEST, Math.min(HIGHEST * unit, heightWith(isReadable ? HEADING * unit : GAP)));
  const lines = [];
  let top = 0;
  const add = (line, high) => { lines.push({ ...line, top, height: high }); top += high; };
  for (const [layer, its] of layers) {
    if (isHeaded(layer)) add({ text: layer }, isReadable ? HEADING * unit : GAP);
    for (const row of its) {
      const { name, label } = rows[row];
      add({ row, name: label ?? (isHeaded(layer) ? name.slice(layer.length).replace(/^[/.]/, "") : name), isInside: isHeaded(layer) }, height);
    }
  }
  return { lines, height: top, isReadable };
};
