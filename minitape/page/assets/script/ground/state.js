// All that changes while the page is read.

export const state = {
  now: -1, // the step
  pinned: null, // the call whose picture the reader chose; null follows the step
  notes: {}, // by step
  file: 0, // the one whose source is seen
  looked: null, // the tensor that is looked at, and how
  shown: null, // the picture that is seen
  atRun: false, // the run is seen in place of the step
  card: "", // whose gradient is told in terms
  trail: [], // the numbers that were asked where they are from, one after the other
  line: "", // of the source, that the reader pointed at: "5", in another file "1:5"
  code: "", // whose meaning is told
  type: 1, // how large the letters are
};
