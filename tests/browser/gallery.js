// What the tests of the gallery read from a page, as functions.
({
    // What is wrong with the texts and the boxes that are seen now.
    geometry: () => {
        const found = [];
        const isSeen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
        const clipOf = (e) => { // the part of the screen in which an element may be seen
            const clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
            for (let up = e.parentElement; up; up = up.parentElement) {
                const style = getComputedStyle(up);
                if (up.namespaceURI !== 'http://www.w3.org/1999/xhtml' || style.overflowX === 'visible' && style.overflowY === 'visible') continue;
                const box = up.getBoundingClientRect();
                Object.assign(clip, {
                    left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top),
                    right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom),
                });
            }
            return clip;
        };
        const canScroll = (e, side) => {
            for (let up = e; up; up = up.parentElement) {
                const how = getComputedStyle(up)[side === 'x' ? 'overflowX' : 'overflowY'];
                if (how === 'auto' || how === 'scroll' || up.id === 'pictures') return true;
            }
            return false;
        };
        const ofPictures = [...document.querySelectorAll('svg text')].filter((t) => t.textContent.trim() && isSeen(t)).map((t) => {
            const { left, right, top, bottom, width } = t.getBoundingClientRect(), matrix = t.getScreenCTM();
            const blanks = t.textContent.search(/\S/); // blanks at the start are a gap, and part of the box
            const inside = blanks > 0 && t.getNumberOfChars() > blanks ? t.getStartPositionOfChar(blanks).matrixTransform(matrix).x : left;
            const box = { left: inside, right, top, bottom, width };
            return { t, box, words: t.textContent.trim().slice(0, 40), px: parseFloat(getComputedStyle(t).fontSize) * Math.abs(matrix.a || matrix.d) };
        }).filter(({ box }) => box.width > 0);
        for (const { px, words } of ofPictures) if (px < 11.9) found.push(`text of ${px.toFixed(1)} px: ${words}`);
        for (let i = 0; i < ofPictures.length; i++) for (let j = i + 1; j < ofPictures.length; j++) {
            const a = ofPictures[i], b = ofPictures[j];
            if (a.t.ownerSVGElement !== b.t.ownerSVGElement) continue;
            const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) - 4;
            if (wide > 1 && high > 1.5) found.push(`texts overlap by ${wide.toFixed(0)} x ${high.toFixed(0)}: ${a.words} | ${b.words}`);
        }
        for (const e of document.querySelectorAll('body *')) {
            if (e.closest('svg, .sr-only') || ['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName) || !isSeen(e)) continue;
            const box = e.getBoundingClientRect();
            if (!box.width || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
            const size = parseFloat(getComputedStyle(e).fontSize), words = `${e.tagName} ${e.id} ${e.textContent.trim().slice(0, 40)}`;
            if (size > 0 && size < 11.9) found.push(`text of ${size} px: ${words}`);
            const clip = clipOf(e), isBelow = box.top >= clip.bottom || box.bottom <= clip.top;
            if (!isBelow && (box.right > clip.right + 1 || box.left < clip.left - 1) && !canScroll(e.parentElement, 'x')
                && !e.closest('.file, #steps, .name, #answers .request')) found.push(`cut off at the side: ${words}`);
        }
        if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth}`);
        return found;
    },

    // The cards and the arrows of the picture that is shown, beside those of the page's data.
    counts: (pictures) => {
        const figure = document.querySelector('.picture:not([hidden])'), number = figure.dataset.picture;
        const data = pictures[number];
        const isSeen = (e) => {
            const style = e && getComputedStyle(e), box = e && e.getBoundingClientRect();
            return Boolean(e) && style.visibility === 'visible' && style.display !== 'none' && Number(style.opacity) > .3 && box.width > 0 && box.height > 0;
        };
        const at = (id) => document.getElementById(`p${number}-${id}`);
        const nodes = [...figure.querySelectorAll('.node')].map((node) => node.getBoundingClientRect());
        const isAtNode = ({ x, y }) => nodes.some((box) => x > box.left - 20 && x < box.right + 20 && y > box.top - 20 && y < box.bottom + 20);
        const intoNothing = Object.keys(data.edges).filter((id) => {
            const line = at(id) && at(id).querySelector('path:not(.stem)');
            if (!line) return false;
            const matrix = line.getScreenCTM(), ends = [0, line.getTotalLength()].map((far) => line.getPointAtLength(far).matrixTransform(matrix));
            return !ends.every(isAtNode);
        });
        return {
            cards: Object.keys(data.cards).length, hiddenCards: Object.keys(data.cards).filter((id) => !isSeen(at(id))),
            edges: Object.keys(data.edges).length, hiddenEdges: Object.keys(data.edges).filter((id) => !isSeen(at(id))), intoNothing,
        };
    },

    // The cards and the links of the pictures of the story, and the numbers of its scenes.
    story: () => [...document.querySelectorAll('.stream > svg')].map((svg) => ({
        cards: svg.querySelectorAll('g.node').length, links: svg.querySelectorAll('g.edge').length, scrolls: svg.getBoundingClientRect().width > svg.parentNode.clientWidth + 1,
        rows: svg.closest('figure').querySelectorAll('tbody tr').length,
        hidden: [...svg.querySelectorAll('g.node, g.edge')].filter((e) => !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })).length,
    })),
})
