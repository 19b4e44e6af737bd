/* Search without a server. Browsers allow no workers on pages that are opened from disk, so the script of the search runs
   in a hidden frame there. */
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.waiting = [];
      const scope = this.frame.contentWindow;
      scope.postMessage = (data) => setTimeout(() => this.onmessage && this.onmessage({ data }));
      const script = scope.document.createElement("script");
      script.src = address;
      script.onload = () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      };
      scope.document.body.append(script);
    }

    postMessage(data) {
      if (this.waiting) {
        this.waiting.push(data);
      } else {
        this.frame.contentWindow.onmessage({ data });
      }
    }

    terminate() {
      this.frame.remove();
    }
  };
}
