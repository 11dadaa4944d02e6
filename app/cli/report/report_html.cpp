#include "app/cli/report/report_html.h"

#include "core/base/utf8.h"
#include "widgets/time/qt_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace helio {

namespace {

using Kind = Cell::Kind;

bool isNumber(const Cell& cell) { return cell.kind == Kind::Integer || cell.kind == Kind::Real || cell.kind == Kind::Length; }

/// True for a text such as "12.50" in a column "self %".
bool isPercentage(std::string_view column, const Cell& cell) { return cell.kind == Kind::Text && column.ends_with('%'); }

double numberOf(const Cell& cell) { return cell.kind == Kind::Real ? cell.value : double(cell.number); }

/// Returns the indices of the columns with at least one value, except those in `leftOut`.
std::vector<std::size_t> usedColumns(const CapturedTable& table, const std::vector<std::string>& leftOut)
{
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (std::ranges::find(leftOut, table.columns[i]) == leftOut.end() && std::ranges::any_of(table.rows, [i](const auto& cells) {
                return cells[i].kind != Kind::None && (cells[i].kind != Kind::Text || !cells[i].text.empty());
            }))
            used.push_back(i);
    return used;
}

/// Value by which the script sorts a cell; empty for text, which is sorted as shown.
std::string sortValue(const Cell& cell)
{
    switch (cell.kind) {
    case Kind::Integer:
    case Kind::Time:
    case Kind::Length: return fmt::format(" data-v=\"{}\"", cell.number);
    case Kind::Real: return fmt::format(" data-v=\"{}\"", cell.value);
    default: return {};
    }
}

std::string shortDuration(std::int64_t ns)
{
    constexpr std::pair<double, const char*> Units[]{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
    for (const auto& [size, name] : Units)
        if (double(ns) >= size)
            return fmt::format("{:.3g} {}", double(ns) / size, name);
    return fmt::format("{} ns", ns);
}

} // namespace

std::string htmlText(std::string_view text)
{
    std::string printable;
    appendPrintable(printable, text);
    std::string out;
    for (const char c : printable)
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    return out;
}

std::string ReportColors::css(const QString& role)
{
    if (role.startsWith(u'#'))
        return QColor(role).name().toStdString();
    m_roles.insert(role);
    return "var(--" + QString(role).replace(u'.', u'-').toStdString() + ')';
}

std::string ReportColors::rules() const
{
    const auto variables = [this](Theme::Kind kind) {
        const Theme theme = Theme::make(kind);
        std::string text = kind == Theme::Kind::Dark ? "color-scheme:dark;" : "color-scheme:light;";
        for (const QString& role : m_roles) {
            const QColor color = theme.color(role);
            text += "--" + QString(role).replace(u'.', u'-').toStdString() + ':';
            text += color.alpha() == 255 ? color.name().toStdString()
                                         : fmt::format("rgba({},{},{},{:.3g})", color.red(), color.green(), color.blue(), color.alphaF());
            text += ';';
        }
        return ":root{" + text + "}\n";
    };
    if (!hasDark())
        return variables(Theme::Kind::Light);
    return variables(Theme::Kind::Light) + "figure svg.picture.dark{display:none}\n@media screen"
        + (m_theme == ReportTheme::Auto ? " and (prefers-color-scheme:dark)" : "") + "{\n" + variables(Theme::Kind::Dark)
        + "figure svg.picture.light{display:none}figure svg.picture.dark{display:block}}\n";
}

std::string swatchHtml(const StateAppearance& look, ReportColors& colors)
{
    constexpr double Size = 11;
    const double height = std::max(2.0, Size * look.height / 16);
    const bool isLine = look.drawing == BarPattern::Line || look.drawing == BarPattern::Dashed || look.drawing == BarPattern::Dotted;
    const double top = isLine ? (Size - height) / 2 : Size - height;
    const std::string color = colors.css(look.role);
    std::string shapes;
    const auto bar = [&](double x, double y, double w, double h, double opacity = 1) {
        fmt::format_to(std::back_inserter(shapes), "<rect x=\"{:.4g}\" y=\"{:.4g}\" width=\"{:.4g}\" height=\"{:.4g}\"{}/>", x, y, w, h,
                       opacity < 1 ? fmt::format(" opacity=\"{:.3g}\"", opacity) : "");
    };
    switch (look.drawing) {
    case BarPattern::Hatched:
        bar(0, top, Size, height, 0.35);
        for (double x = -height; x < Size; x += 3) { // Strokes at 45°, cut at the left and right edges.
            const double from = std::max(0.0, x), to = std::min(Size, x + height);
            fmt::format_to(std::back_inserter(shapes), "<path d=\"M{:.4g} {:.4g}L{:.4g} {:.4g}\" stroke-width=\"1.4\"/>", from,
                           Size - (from - x), to, Size - (to - x));
        }
        break;
    case BarPattern::Dashed:
    case BarPattern::Dotted:
        for (double x = 0; x < Size; x += look.drawing == BarPattern::Dashed ? 5 : 3)
            bar(x, top, std::min(look.drawing == BarPattern::Dashed ? 3.0 : 1.0, Size - x), height);
        break;
    case BarPattern::CutCorner:
        fmt::format_to(std::back_inserter(shapes), "<path d=\"M0 11V{:.4g}L4 {:.4g}H11V11Z\" stroke=\"none\"/>",
                       top + std::min(4.0, height), top);
        break;
    case BarPattern::Fence:
        bar(0, top, Size, height, 0.38);
        bar(0, top, Size, std::min(2.0, height));
        for (double x = 0; x < Size; x += 4)
            bar(x, top, 2, height);
        break;
    default: bar(0, top, Size, height);
    }
    return "<svg class=\"sw\" viewBox=\"0 0 11 11\" aria-hidden=\"true\" style=\"--c:" + color + "\">" + shapes + "</svg>";
}

std::string columnTitle(std::string_view column)
{
    std::string title(column.ends_with("_ns") ? column.substr(0, column.size() - 3) : column);
    std::ranges::replace(title, '_', ' ');
    if (title == "tid" || title == "pid" || title == "cpu" || title == "vm" || title == "vcpu") {
        std::ranges::transform(title, title.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
        return title == "VCPU" ? "vCPU" : title;
    }
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
        title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

std::string tableHtml(const CapturedTable& table, const std::string& caption, const std::string& barColumn, const StateLegend& legend,
                      ReportColors& colors, const std::vector<std::string>& leftOut)
{
    const std::vector<std::size_t> used = usedColumns(table, leftOut);
    std::vector<bool> areNumbers(table.columns.size());
    std::vector<double> largest(table.columns.size());
    for (const auto& cells : table.rows)
        for (const std::size_t i : used)
            if (isNumber(cells[i]) || isPercentage(table.columns[i], cells[i])) {
                areNumbers[i] = true;
                largest[i] = std::max(largest[i], numberOf(cells[i]));
            }
    std::string out = used.size() > 11
        ? "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + htmlText(caption) + "\"><table class=\"wide\">\n"
        : "<div class=\"scroll\"><table>\n";
    out += "<caption>" + htmlText(caption) + "</caption>\n<thead><tr>";
    for (const std::size_t i : used)
        out += fmt::format("<th scope=\"col\"{} data-c=\"{}\">{}</th>", areNumbers[i] ? " class=\"n\"" : "", htmlText(table.columns[i]),
                           htmlText(columnTitle(table.columns[i])));
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& cells : table.rows) {
        out += "<tr>";
        for (const std::size_t i : used) {
            const Cell& cell = cells[i];
            const bool hasBar = table.columns[i] == barColumn && isNumber(cell) && largest[i] > 0;
            out += fmt::format("<td{}{}>",
                               hasBar                        ? " class=\"n b\""
                                   : areNumbers[i]           ? " class=\"n\""
                                   : cell.kind == Kind::Time ? " class=\"t\""
                                                             : "",
                               sortValue(cell));
            if (hasBar)
                out += fmt::format("<i style=\"--p:{:.3f}\"></i><span>", std::max(0.0, numberOf(cell)) / largest[i]);
            if (const auto look = table.columns[i] == "state" ? legend.find(cell.text) : legend.end(); look != legend.end())
                out += swatchHtml(look->second, colors);
            out += htmlText(textOf(cell, table.times));
            out += hasBar ? "</span></td>" : "</td>";
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string histogramHtml(const CapturedTable& table, const std::string& title, ReportColors& colors)
{
    constexpr double Width = 1160, Height = 150, Left = 60, Bottom = 24, Top = 16;
    std::uint64_t most = 0;
    for (const auto& cells : table.rows)
        most = std::max(most, static_cast<std::uint64_t>(std::max<std::int64_t>(0, cells[2].number)));
    if (table.rows.empty() || most == 0)
        return {};
    const double step = (Width - Left) / double(table.rows.size());
    const double floor = Height - Bottom;
    // The count axis is logarithmic, because rare slow intervals matter most; one interval has a visible height.
    const double top = std::log2(double(most) + 1);
    std::string out =
        fmt::format("<figure><svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", Width, Height, htmlText(title));
    const std::string ink = colors.css("text.secondary"), line = colors.css("line.strong"), bar = colors.css("mark.bookmark");
    out += fmt::format("<path d=\"M{} {}H{}\" style=\"stroke:{}\"/>", Left, floor, Width, line);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" style=\"fill:{}\">{}</text>", Left - 8, Top + 4, ink, most);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" style=\"fill:{}\">0</text>", Left - 8, floor + 3, ink);
    const std::size_t labelEach = std::max<std::size_t>(1, std::size_t(std::ceil(80 / step)));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& cells = table.rows[i];
        const double x = Left + double(i) * step;
        const double count = double(std::max<std::int64_t>(0, cells[2].number));
        const double height = (floor - Top) * std::log2(count + 1) / top;
        if (count > 0)
            out += fmt::format(
                "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" style=\"fill:{}\"><title>{} – {}: {}</title></rect>",
                x + 0.5, floor - height, std::max(1.0, step - 1), height, bar, htmlText(textOf(cells[0], table.times)),
                htmlText(textOf(cells[1], table.times)), cells[2].number);
        if (i % labelEach == 0)
            out +=
                fmt::format("<text x=\"{:.2f}\" y=\"{}\" style=\"fill:{}\">{}</text>", x, Height - 8, ink, shortDuration(cells[0].number));
    }
    return out + "</svg><figcaption>Count by duration; logarithmic count axis.</figcaption></figure>\n";
}

std::string inlineSvg(std::string_view svg, const std::string& id, const std::string& title, const char* cssClass)
{
    const auto begin = svg.find("<svg");
    const auto end = begin == std::string_view::npos ? begin : svg.find('>', begin);
    const auto box = svg.find("viewBox=\"");
    if (end == std::string_view::npos || box == std::string_view::npos || box > end)
        return {};
    const std::string_view viewBox = svg.substr(box + 9, svg.find('"', box + 9) - box - 9);
    std::string out = fmt::format("<svg class=\"{}\" viewBox=\"{}\" font-size=\"12\" role=\"img\" aria-labelledby=\"{}\">", cssClass,
                                  htmlText(viewBox), id);
    out += fmt::format("<title id=\"{}\">{}</title>", id, htmlText(title));
    std::string_view rest = svg.substr(end + 1);
    // Qt's own title and description would be a second title.
    for (const std::string_view element : {"title", "desc"}) {
        const std::string open = fmt::format("<{}>", element), close = fmt::format("</{}>", element);
        const auto at = rest.find_first_not_of(" \r\n\t");
        if (at != std::string_view::npos && rest.substr(at).starts_with(open))
            if (const auto last = rest.find(close); last != std::string_view::npos)
                rest.remove_prefix(last + close.size());
    }
    out += rest;
    return out;
}

const char* const ReportCss = R"CSS(
*{box-sizing:border-box}
body{margin:0 auto;max-width:1216px;padding:24px 28px 48px;font:13px/1.5 Inter,"Segoe UI",system-ui,-apple-system,"Noto Sans","DejaVu Sans",sans-serif;background:var(--surface-panel);color:var(--text-primary)}
h1{font-size:24px;line-height:1.25;margin:0 0 4px;font-weight:600;overflow-wrap:anywhere}
h2{font-size:17px;margin:36px 0 8px;padding-top:14px;border-top:1px solid var(--line-subtle);font-weight:600}
h3{font-size:13.5px;margin:20px 0 6px;font-weight:600;overflow-wrap:anywhere}
p,ul,ol,dl,figure{margin:6px 0}
a{color:var(--text-link);text-decoration:none}a:hover,a:focus{text-decoration:underline}
.sub,figcaption,caption,.note,.cmd,nav{color:var(--text-secondary)}
header{border-left:4px solid var(--accent-fill);padding-left:14px}
nav ol{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:2px 18px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}
dt{color:var(--text-secondary)}dd{margin:0;overflow-wrap:anywhere}
.traces{display:grid;grid-template-columns:repeat(auto-fill,minmax(350px,1fr));gap:0 28px}
.traces>div{min-width:0}
.scroll{overflow-x:auto;margin:4px 0 2px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:12px}
caption{text-align:left;padding:0 0 4px;font-size:11.5px}
th{font-weight:500;color:var(--text-secondary);text-align:left;border-bottom:1px solid var(--line-strong);white-space:nowrap;font-size:11px}
th,td{padding:2px 12px 2px 0;vertical-align:top}
td{border-bottom:1px solid var(--line-faint);overflow-wrap:break-word;max-width:420px}
th.n,td.n{text-align:right;white-space:nowrap}td.t{white-space:nowrap}
td.b{min-width:190px;white-space:nowrap}
td.b i{float:left;height:8px;margin-top:5px;background:var(--mark-bookmark);min-width:1px;width:calc(var(--p)*80px)}
th:last-child,td:last-child{padding-right:0}
tbody tr:hover{background:var(--surface-hover)}
th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid var(--accent-line)}
figure svg.picture,figure svg.chart{width:100%;height:auto;display:block}
figure svg.picture{border:1px solid var(--line-subtle)}
figure svg text,figure svg g{font-family:Inter,"Segoe UI",system-ui,-apple-system,"Noto Sans","DejaVu Sans",sans-serif}
svg.chart text{font-size:10.5px}
.sw{width:11px;height:11px;vertical-align:-1px;margin-right:6px;fill:var(--c);stroke:var(--c);stroke-width:0}
.sw path{stroke-width:1.4}
.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:11.5px;color:var(--text-secondary)}
code,pre,.cmd{font-family:"JetBrains Mono","DejaVu Sans Mono",ui-monospace,Consolas,monospace;font-size:11px}
code{overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--surface-group);border:1px solid var(--line-subtle);border-radius:4px;padding:8px 10px;margin:6px 0}
.cmd{margin:2px 0 10px;white-space:pre-wrap;overflow-wrap:anywhere}
.note{font-size:11.5px}
.warn{border-left:3px solid var(--mark-lost);padding-left:10px}
details summary{cursor:pointer;color:var(--text-secondary)}
footer{margin-top:36px;padding-top:14px;border-top:1px solid var(--line-subtle)}
@page{size:A4;margin:13mm}
@media print{
body{max-width:none;padding:0;font-size:9.5pt;background:none}
nav{display:none}
h2,h3{break-after:avoid}
h2{margin-top:18pt}
figure,tr{break-inside:avoid}
thead{display:table-header-group}
table{font-size:7.4pt}table.wide{font-size:5.4pt}table.wide th{font-size:5.2pt;white-space:normal}
th,td{padding-right:6pt}table.wide th,table.wide td{padding-right:3pt}
td.b{min-width:120px}td.b i{width:calc(var(--p)*40px)}
th.n,td.n{white-space:nowrap}
.scroll{overflow:visible}
svg,td.b i{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
)CSS";

const char* const ReportScript = R"JS(
"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  table.querySelectorAll("thead th").forEach((title, column) => {
    const button = document.createElement("button");
    button.type = "button";
    while (title.firstChild) button.append(title.firstChild);
    title.append(button);
    button.addEventListener("click", () => {
      const down = title.getAttribute("aria-sort") !== "descending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      title.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = row => { const cell = row.cells[column], v = cell.dataset.v; return v === undefined ? cell.textContent : Number(v); };
      const rows = Array.from(body.rows).sort((a, b) => {
        const x = value(a), y = value(b);
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
}
)JS";

} // namespace helio
