// Which texts on the page are cut off or run over their box, and whether the page is too wide.
() => {
    const found = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth + 1) found.push(`the page is ${wide} px wide in ${innerWidth}`);
    const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX + getComputedStyle(element).overflowY);
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest("svg, .unseen, .skip, select, option, script, noscript, datalist")) continue;
        if (!element.checkVisibility?.({ contentVisibilityAuto: true })) continue;
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own) continue;
        const style = getComputedStyle(element);
        if (style.position === "absolute" && style.clipPath !== "none") continue;
        const text = element.textContent.trim().slice(0, 40);
        // A long name may end in an ellipsis: it is whole in the title.
        const meant = style.textOverflow === "ellipsis" && element.title;
        if (style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1 && !meant) found.push(`cut: ${element.className} ${text}`);
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = range.getBoundingClientRect();
        for (let around = element; around && around !== document.body; around = around.parentElement) {
            if (scrolls(around)) break;
            const outer = around.getBoundingClientRect();
            const inline = getComputedStyle(around).display.startsWith("inline") && around !== element;
            if (meant || inline || !outer.width) continue;
            if (box.right > outer.right + 1.5 || box.left < outer.left - 1.5) {
                found.push(`over: ${element.className} "${text}" leaves .${around.className}`);
                break;
            }
            if (getComputedStyle(around).overflowY === "hidden" && box.bottom > outer.bottom + 1.5) {
                found.push(`cut below: ${element.className} "${text}" in .${around.className}`);
                break;
            }
        }
    }
    return [...new Set(found)];
}
