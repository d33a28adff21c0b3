// Copies from the page: a link to its current state, a frame for another page, and the picture as SVG or PNG.

import { $ } from "../ground/elements.js";
import { flushAddress } from "../ground/going.js";
import { state } from "../ground/state.js";

const SCALE = 2; // pixels of a PNG for each pixel of the screen

const hint = (text) => { $("share-message").textContent = text; };
const copy = (text, what) => {
  const failed = () => hint("The browser does not allow copying: " + text);
  if (!navigator.clipboard) return failed();
  return navigator.clipboard.writeText(text).then(() => hint(what + " copied"), failed);
};
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const copyLink = () => { flushAddress(); copy(location.href, "link"); };
const copyFrame = () => {
  flushAddress();
  copy('<iframe src="' + escaped(location.href) + '" width="1200" height="720" title="' + escaped(document.title) + '"></iframe>', "frame");
};
// The picture that is shown now.
const shownPicture = () => state.atStory ? document.querySelector("#river-run .stream > svg") : document.querySelector(".picture:not([hidden]) .canvas svg");

// The picture as a separate document, in which colors are no longer names of the page.
export const pictureText = (svg) => {
  const copied = svg.cloneNode(true), page = getComputedStyle(document.documentElement);
  const { width, height, x, y } = svg.viewBox.baseVal;
  const shapes = [...svg.querySelectorAll("*")], twins = [...copied.querySelectorAll("*")];
  shapes.forEach((node, k) => {
    if (!(node instanceof SVGGeometryElement || node instanceof SVGTextElement)) return;
    const style = getComputedStyle(node);
    for (const name of ["fill", "stroke"]) if (style[name] !== "none" || twins[k].hasAttribute(name)) twins[k].setAttribute(name, style[name]);
  });
  for (const node of copied.querySelectorAll("[class]")) node.removeAttribute("class");
  copied.removeAttribute("style");
  copied.removeAttribute("class");
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copied.setAttribute("width", Math.ceil(width));
  copied.setAttribute("height", Math.ceil(height));
  copied.setAttribute("font-family", "Helvetica, Arial, 'Liberation Sans', sans-serif");
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: page.getPropertyValue("--paper").trim() })) paper.setAttribute(name, value);
  copied.prepend(paper);
  return new XMLSerializer().serializeToString(copied);
};
const save = (address, suffix) => {
  const link = document.createElement("a");
  link.href = address;
  link.download = document.querySelector("h1").textContent.trim().replace(/\W+/g, "-") + "." + suffix;
  link.click();
  hint(suffix.toUpperCase() + " saved");
};
const addressOf = (text) => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
const saveSvg = () => { const svg = shownPicture(); if (svg) save(addressOf(pictureText(svg)), "svg"); };
const savePng = () => {
  const svg = shownPicture();
  if (!svg) return;
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width * SCALE;
    canvas.height = image.height * SCALE;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    save(canvas.toDataURL("image/png"), "png");
  });
  image.src = addressOf(pictureText(svg));
};
export const setUpShare = () => {
  const acts = { "copy-link": copyLink, "copy-frame": copyFrame, "save-svg": saveSvg, "save-png": savePng };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  $("share").addEventListener("toggle", () => hint(""));
};
