package io.hyperverbs.lab.run.report;

/** The frame of all pages: everything is in it, no script, no font, nothing to fetch. */
public final class HtmlPage {
    private static final String STYLE = """
        :root{color-scheme:light dark}
        body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
        h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
        table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
        th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #8884}
        td{white-space:nowrap}
        th:first-child,td:first-child{text-align:left}
        thead th{border-bottom:2px solid #888}
        .wide{overflow-x:auto}
        .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));gap:1rem}
        svg{width:100%;height:auto}
        svg .g{stroke:#8886;stroke-width:.6;fill:none}
        svg .c{stroke-width:1.8;fill:none}
        svg .l{font-size:10px;fill:currentColor;opacity:.75}
        svg .t{font-size:12px;fill:currentColor;font-weight:600}
        .key span{margin-right:1.2rem}.key i{display:inline-block;width:1.4rem;height:.25rem;
        margin-right:.4rem;vertical-align:middle}
        .text{text-align:left;white-space:normal;min-width:16rem}
        .bad{color:#c22;font-weight:600}.good{color:#2a7}
        .small{opacity:.75;font-size:.85rem}
        """;

    private HtmlPage() {}

    /**
     * A whole page.
     *
     * @param body what stands in it, in HTML
     */
    public static String of(String title, String body) {
        return of(title, "", body);
    }

    /**
     * A whole page.
     *
     * @param style CSS that beyond that of all pages
     * @param body what stands in it, in HTML
     */
    public static String of(String title, String style, String body) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
                + escape(title)
                + "</title>\n<style>"
                + STYLE
                + style
                + "</style></head><body>\n"
                + body
                + "</body></html>\n";
    }

    /** Text as it is read. */
    public static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
