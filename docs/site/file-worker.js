/* Lets the search work in a site that is opened as a file: browsers refuse workers there, so an iframe takes the worker's place.

   Material for MkDocs loads such a script from a server; this one is part of the site, so that no request leaves it. */
if (location.protocol === "file:") {
  // Runs in the iframe, where it replaces the function of workers: loads scripts one after the other.
  const importScripts = (...urls) =>
    urls.reduce(
      (earlier, url) =>
        earlier.then(
          () =>
            new Promise((resolve, reject) => {
              const script = document.createElement("script");
              script.src = url;
              script.onload = resolve;
              script.onerror = reject;
              document.body.append(script);
            }),
        ),
      Promise.resolve(),
    );

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame;
      this.listener = (event) => {
        if (event.source !== frame.contentWindow) return;
        const copy = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(copy);
        this.onmessage?.(copy);
      };
      addEventListener("message", this.listener);
      const inside = frame.contentWindow;
      inside.document.open();
      inside.document.write(
        `<body><script>postMessage = (data) => parent.postMessage(data, "*"); importScripts = ${importScripts}<\/script>` +
          `<script src="${url}"><\/script></body>`,
      );
      inside.document.close();
      this.loaded = new Promise((resolve) => {
        inside.onload = resolve;
      });
    }

    postMessage(data) {
      this.loaded.then(() => {
        const copy = structuredClone(data);
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: copy }));
      });
    }

    terminate() {
      removeEventListener("message", this.listener);
      this.frame.remove();
    }
  };
}
