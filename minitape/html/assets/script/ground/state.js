// All state that changes while the page is read.

export const state = {
  now: -1, // the step
  isSingleStep: false, // whether the last move was to the next or the previous step
  pinned: null, // the call whose picture is pinned; null follows the step
  notes: {}, // by step
  file: 0, // the file whose source is shown
  looked: null, // the tensor in the panel, and its view
  shown: null, // the picture that is shown
  atRun: false, // whether the overview is shown instead of the step
  atStory: false, // whether the story is shown instead of the step
  reason: null, // the line of the source that the story is about
  scene: 0, // the scene of the story; 0 for the whole story
  slide: 0, // the slide of the story while it is presented, from 1
  iteration: 0, // the iteration of its picture, if the reader chose one, from 1
  card: "", // the node whose gradient is shown as terms
  trail: [], // the numbers that were followed, in order
  line: "", // the source line that the reader chose: "5", in another file "1:5"
  code: "", // the code whose meaning is shown
  type: 1, // the text size
};
