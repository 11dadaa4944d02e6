#include "core/profiling/export/call_tree_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace helio {
namespace {

constexpr int RowHeight = 17; ///< Height of a row of frames in pixels.
constexpr int Margin = 10;
constexpr int HeadHeight = 44;
constexpr int PartHeadHeight = 4; ///< Height above the frames of a picture inside a document, which has no title.
constexpr int FootHeight = 28;
/// Minimum width in pixels of a frame that shows its text SvgStyle::saying. The script in the SVG file contains the same number.
constexpr double SayingFrom = 180;
constexpr double CharacterWidth = 6.9; ///< Average width in pixels of a character of the 12-pixel font.
constexpr std::uint32_t DeepestRow = 2000; ///< Maximum depth to draw. Deeper frames are left out, like frames that are too narrow.

struct Box {
    std::uint32_t node;
    double x; ///< Left edge of the frame as a fraction of the whole width, from 0 to 1.
    double width;
};

/// Returns the boxes of all frames that are wide enough, parents first.
std::vector<Box> boxesOf(const CallTree& tree, WeightBy by, double narrowest)
{
    const auto whole = double(amount(tree.nodes[0].total, by));
    std::vector<Box> boxes{{0, 0, 1}};
    for (std::size_t i = 0; i < boxes.size() && whole > 0; ++i) {
        const CallNode& node = tree.nodes[boxes[i].node];
        double x = boxes[i].x;
        for (std::uint32_t n = 0; n < node.childCount && node.depth < DeepestRow; ++n) {
            const std::uint32_t child = node.firstChild + n;
            const double width = double(amount(tree.nodes[child].total, by)) / whole;
            if (width >= narrowest)
                boxes.push_back({child, x, width});
            x += width;
        }
    }
    return boxes;
}

template <typename... Args> void print(std::string& out, const char* format, Args... args)
{
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, args...);
    out += text.data();
}

/// Script of the picture: zooms by click, searches with Ctrl+F or the field at the top right; Esc resets both.
constexpr const char* Script = R"JS(
"use strict";
const root = document.documentElement, frames = Array.from(document.querySelectorAll("g.f"));
const W = root.viewBox.baseVal.width - 20;
const data = frames.map((g, i) => { const d = g.dataset; g._i = i; return { x: +d.x, w: +d.w, depth: +d.d, parent: +d.p, name: d.n, says: d.s || "", line: d.o || "none" }; });
let at = 0, pattern = null;
function draw() {
  const zoom = data[at], up = new Set();
  for (let i = at; i > 0; i = data[i].parent) up.add(data[i].parent);
  frames.forEach((g, i) => {
    const f = data[i], rect = g.querySelector("rect"), text = g.querySelector("text:not(.s)");
    let x = (f.x - zoom.x) / zoom.w, w = f.w / zoom.w;
    const isAbove = up.has(i);
    if (isAbove) { x = 0; w = 1; }
    const left = Math.max(0, x), right = Math.min(1, x + w), isShown = isAbove || (right - left) * W > 0.1 && f.depth >= zoom.depth && x > -1e-9 && x + w < 1 + 1e-9;
    g.style.display = isShown ? "" : "none";
    if (!isShown) return;
    g.style.opacity = isAbove ? 0.5 : 1;
    rect.setAttribute("x", 10 + left * W); rect.setAttribute("width", Math.max(0.3, (right - left) * W - 0.5));
    text.setAttribute("x", 13 + left * W);
    const says = (right - left) * W > 180 ? f.says : "", saying = g.querySelector("text.s");
    if (saying) { saying.setAttribute("x", 7 + right * W); saying.textContent = says; }
    const most = Math.floor(((right - left) * W - 6) / 6.9) - (says ? says.length + 1 : 0);
    text.textContent = most < 3 ? "" : f.name.length <= most ? f.name : f.name.slice(0, most - 1) + "\u2026";
    const isFound = pattern && pattern.test(f.name);
    rect.setAttribute("stroke", isFound ? "#c000c0" : f.line);
    rect.setAttribute("stroke-width", isFound ? 2 : 1);
  });
  document.getElementById("reset").style.display = at ? "" : "none";
}
function search(text) {
  const status = document.getElementById("found");
  try { pattern = text ? new RegExp(text, "i") : null; } catch (e) { pattern = null; status.textContent = "not a pattern"; return draw(); }
  let sum = 0;
  const counted = [];
  data.forEach((f, i) => { counted[i] = i > 0 && counted[f.parent]; if (pattern && i > 0 && !counted[i] && pattern.test(f.name)) { counted[i] = true; sum += f.w; } });
  status.textContent = pattern ? "matched: " + (100 * sum).toFixed(2) + " %" : "search";
  draw();
}
frames.forEach((g, i) => g.addEventListener("click", () => { at = i; draw(); }));
document.getElementById("reset").addEventListener("click", () => { at = 0; draw(); });
const ask = () => { const text = prompt("Search (a regular expression)", pattern ? pattern.source : ""); if (text !== null) search(text); };
document.getElementById("found").addEventListener("click", ask);
window.addEventListener("keydown", e => {
  if ((e.ctrlKey || e.metaKey) && e.key === "f" || e.key === "/") { e.preventDefault(); ask(); }
  if (e.key === "Escape") { at = 0; search(""); }
});
)JS";

class SvgDrawing {
public:
    SvgDrawing(const CallTree& tree, WeightBy by, const SvgOptions& options, const SvgStyle& style, ChunkedWriter& writer)
        : m_tree(tree)
        , m_options(options)
        , m_style(style)
        , m_writer(writer)
        , m_width(std::max<std::uint32_t>(options.width, 100))
        , m_boxes(boxesOf(tree, by, options.narrowest / double(m_width - 2 * Margin)))
    {
        for (const Box& box : m_boxes)
            m_rows = std::max(m_rows, int(tree.nodes[box.node].depth) + 1);
    }

    void draw()
    {
        head();
        std::vector<std::size_t> place(m_tree.nodes.size());
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            place[m_boxes[i].node] = i;
            frame(m_boxes[i], place[m_tree.nodes[m_boxes[i].node].parent]);
            if (!m_writer.flushIfFull())
                return;
        }
        std::string& out = m_writer.text();
        if (m_boxes.size() < m_tree.nodes.size())
            print(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%zu narrow frames are left out</text>\n", Margin, height() - 10,
                  rgbText(m_style.remark).c_str(), m_tree.nodes.size() - m_boxes.size());
        legend();
        if (m_options.isPart)
            out += "</svg>\n";
        else
            ((out += "<script><![CDATA[") += Script) += "]]></script>\n</svg>\n";
    }

private:
    int headHeight() const { return m_options.isPart ? PartHeadHeight : HeadHeight; }
    int height() const { return headHeight() + m_rows * RowHeight + FootHeight; }

    void head()
    {
        std::string& out = m_writer.text();
        if (m_options.isPart)
            return partHead();
        print(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%d\" "
              "viewBox=\"0 0 %u %d\" ",
              m_width, height(), m_width, height());
        out +=
            "font-family=\"Inter,Verdana,sans-serif\" font-size=\"12\">\n<style>g.f{cursor:pointer}g.f:hover rect{filter:brightness(0.85)}"
            "g.f text{pointer-events:none}</style>\n";
        print(
            out,
            "<rect width=\"%u\" height=\"%d\" fill=\"%s\"/>\n<text x=\"%u\" y=\"20\" font-size=\"16\" text-anchor=\"middle\" fill=\"%s\">",
            m_width, height(), rgbText(m_style.ground).c_str(), m_width / 2, rgbText(m_style.text).c_str());
        appendXml(out, m_options.title);
        print(out, "</text>\n<text x=\"%u\" y=\"37\" text-anchor=\"middle\" fill=\"%s\">", m_width / 2, rgbText(m_style.remark).c_str());
        appendXml(out, m_options.subtitle);
        print(out, "</text>\n<text id=\"reset\" x=\"%d\" y=\"20\" fill=\"#06c\" style=\"cursor:pointer;display:none\">reset zoom</text>\n",
              Margin);
        print(out, "<text id=\"found\" x=\"%u\" y=\"20\" text-anchor=\"end\" fill=\"#06c\" style=\"cursor:pointer\">search</text>\n",
              m_width - Margin);
    }

    void partHead()
    {
        std::string& out = m_writer.text();
        print(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %d\" font-size=\"12\">\n", m_width, height());
        print(out, "<rect width=\"%u\" height=\"%d\" fill=\"%s\"/>\n", m_width, height(), rgbText(m_style.ground).c_str());
    }

    /// Begins the element of a frame. Its data, which only the script of the picture uses, are left out of parts.
    void beginFrame(const Box& box, std::size_t parent, const std::string& name, const std::string& saying)
    {
        std::string& out = m_writer.text();
        if (m_options.isPart) {
            out += "<g>";
            return;
        }
        print(out, "<g class=\"f\" data-x=\"%.9g\" data-w=\"%.9g\" data-d=\"%u\" data-p=\"%zu\" data-n=\"", box.x, box.width,
              m_tree.nodes[box.node].depth, parent);
        appendXml(out, name);
        if (!saying.empty()) {
            out += "\" data-s=\"";
            appendXml(out, saying);
        }
        if (isOutlined(box.node))
            out += "\" data-o=\"" + rgbText(colorOf(box.node));
        out += "\">";
    }

    void frame(const Box& box, std::size_t parent)
    {
        const CallNode& node = m_tree.nodes[box.node];
        const std::string& name = box.node == 0 ? m_all : m_tree.functionOf(box.node).label();
        const double inner = double(m_width - 2 * Margin);
        const int row = m_options.isIcicle ? int(node.depth) : m_rows - 1 - int(node.depth);
        const int y = headHeight() + row * RowHeight;
        std::string& out = m_writer.text();
        const std::string saying = m_style.saying(box.node);
        beginFrame(box, parent, name, saying);
        out += "<title>";
        appendTitle(out, box, name);
        print(out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" rx=\"1\" ", Margin + box.x * inner, y,
              std::max(0.3, box.width * inner - 0.5), RowHeight - 1);
        const SvgColor color = colorOf(box.node);
        const std::string rgb = rgbText(color);
        if (isOutlined(box.node))
            out += "fill=\"" + rgbText(m_style.ground) + "\" stroke=\"" + rgb + "\"/>";
        else
            out += "fill=\"" + rgb + "\"/>";
        const std::string ink = isOutlined(box.node) ? rgbText(m_style.text) : isLight(color) ? "#000" : "#fff";
        const std::string said = box.width * inner > SayingFrom ? saying : std::string();
        print(out, "<text x=\"%.2f\" y=\"%d\" fill=\"%s\">", Margin + box.x * inner + 3, y + 12, ink.c_str());
        appendXml(out, shortened(name, box.width * inner - (said.empty() ? 0 : CharacterWidth * double(said.size() + 1))));
        out += "</text>";
        if (!saying.empty()) {
            print(out, "<text class=\"s\" text-anchor=\"end\" x=\"%.2f\" y=\"%d\" fill=\"%s\">", Margin + (box.x + box.width) * inner - 3,
                  y + 12, ink.c_str());
            appendXml(out, said);
            out += "</text>";
        }
        out += "</g>\n";
    }

    bool isOutlined(std::uint32_t node) const { return m_style.isOutlined && m_style.isOutlined(node); }
    SvgColor colorOf(std::uint32_t node) const { return m_style.fill(node); }
    static std::string rgbText(const SvgColor& color)
    {
        std::string text;
        print(text, "rgb(%d,%d,%d)", color[0], color[1], color[2]);
        return text;
    }
    static bool isLight(const SvgColor& color) { return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2] > 115; }

    void legend()
    {
        constexpr int Cell = 54;
        std::string& out = m_writer.text();
        int x = static_cast<int>(m_width) - Margin - Cell * static_cast<int>(m_style.legend.size());
        for (const auto& [color, name] : m_style.legend) {
            print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"15\" fill=\"%s\"/>", x, height() - 22, Cell - 1,
                  rgbText(color).c_str());
            print(out, "<text x=\"%d\" y=\"%d\" font-size=\"10\" text-anchor=\"middle\" fill=\"%s\">", x + Cell / 2, height() - 11,
                  isLight(color) ? "#000" : "#fff");
            appendXml(out, name);
            out += "</text>\n";
            x += Cell;
        }
    }

    void appendTitle(std::string& out, const Box& box, const std::string& name) const
    {
        appendXml(out, name);
        if (box.node != 0 && !m_tree.functionOf(box.node).module.empty())
            appendXml(out, " (" + m_tree.functionOf(box.node).module + ')');
        appendXml(out, ": " + m_style.words(box.node));
        if (box.node != 0 && !m_tree.functionOf(box.node).problem.empty())
            appendXml(out += '\n', m_tree.functionOf(box.node).problem);
    }

    /// Returns the longest prefix of a name that fits into a width in pixels; never splits a UTF-8 character.
    static std::string shortened(const std::string& name, double width)
    {
        const auto most = static_cast<std::size_t>(std::max(0.0, (width - 6) / CharacterWidth));
        if (most < 3)
            return {};
        if (name.size() <= most)
            return name;
        std::size_t end = most - 1;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80)
            --end;
        return name.substr(0, end) + "\u2026";
    }

    const CallTree& m_tree;
    const SvgOptions& m_options;
    const SvgStyle& m_style;
    ChunkedWriter& m_writer;
    std::uint32_t m_width;
    std::vector<Box> m_boxes;
    int m_rows = 1;
    const std::string m_all = m_style.rootName;
};

} // namespace

void writeSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, const SvgStyle& style, const TextSink& write)
{
    ChunkedWriter writer(write);
    SvgDrawing(tree, by, options, style, writer).draw();
}

} // namespace helio
