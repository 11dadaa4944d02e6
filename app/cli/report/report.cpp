#include "app/cli/report/report.h"

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/redirection.h"
#include "app/cli/report/report_html.h"
#include "app/cli/selection/kept_experiments.h"
#include "core/base/shell_words.h"
#include "core/base/version.h"
#include "core/export/export_format.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/views.h"
#include "core/store/file/temporary_file.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/sql_column_role.h"

#include <QCryptographicHash>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostPictureBytes = std::size_t(40) << 20; ///< Maximum size of all pictures in bytes.
constexpr std::size_t MostLosses = 50; ///< Maximum number of rows of the table of losses.
constexpr std::size_t MostBookmarks = 500;
constexpr std::size_t MostTraces = 40; ///< Maximum number of traces whose facts are listed.

/// Output of `info` as lines with a name and a text.
struct InfoLine {
    std::string_view name;
    std::string_view text;
};

/// Splits the text output of `info`: each line begins with a name, padded to 13 characters and followed by a space.
std::vector<InfoLine> infoLines(std::string_view text)
{
    constexpr std::size_t NameWidth = 13;
    std::vector<InfoLine> lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.size() <= NameWidth)
            lines.push_back({}); // An empty line follows each trace.
        else
            lines.push_back({line.substr(0, line.find_last_not_of(' ', NameWidth) + 1), line.substr(NameWidth + 1)});
    }
    return lines;
}

/// Makes the document of a report.
class ReportWriter {
public:
    ReportWriter(const ReportRequest& request, const ReportProgress& progress, std::stop_token stop)
        : m_request(request)
        , m_timeline(*request.timeline)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_colors(request.theme)
        , m_times(hasEpoch(m_timeline))
        , m_recorded(rangeOf(m_timeline))
        , m_range(request.range.clippedTo(m_recorded))
    {
        for (const char* role : {"surface.panel", "surface.group", "surface.hover", "text.primary", "text.secondary", "text.link",
                                 "line.faint", "line.subtle", "line.strong", "accent.fill", "accent.line", "mark.bookmark", "mark.lost"})
            m_colors.css(QString::fromLatin1(role));
        for (const ReportSection& section : request.sections)
            m_total += section.parts.size();
        m_opened.setTimeline(request.opened ? request.opened : request.timeline, request.isSynchronized);
    }

    Result<std::string> make()
    {
        addRecording();
        addBookmarks();
        // Findings belong here, above the pictures and tables that show their evidence.
        for (const ReportSection& section : m_request.sections)
            if (const Status added = addSection(section); !added)
                return added.error();
        if (const Status added = addLosses(); !added)
            return added.error();
        addReproduction();
        return document();
    }

private:
    struct Section {
        std::string title;
        std::string body;
    };

    std::string defaultTitle() const
    {
        std::string names;
        for (const TimelineTrace& it : m_timeline.traces)
            names += (names.empty() ? "" : ", ") + it.trace->info().name;
        return names.empty() ? "Recording" : names;
    }

    std::string timeOf(Timestamp at) const
    {
        std::string text;
        m_times.append(text, nanoseconds(at));
        return text;
    }

    static std::string lengthOf(Duration duration)
    {
        std::string text;
        appendDuration(text, duration.count());
        return text;
    }

    TimeFormat timeFormat() const
    {
        TimeFormat format;
        format.hasEpoch = hasEpoch(m_timeline);
        format.origin = m_recorded.begin;
        return format;
    }

    /// Returns date, zone and range of the report as one line.
    std::string rangeLine() const
    {
        if (!hasTimes(m_timeline) || m_recorded.isEmpty())
            return "The recording has no times.";
        std::string text;
        if (hasEpoch(m_timeline))
            text = dateText(m_range.begin, timeFormat()).toStdString() + ", ";
        text += timeOf(m_range.begin) + " to " + timeOf(m_range.end);
        if (hasEpoch(m_timeline))
            text += " (" + zoneText(m_range.begin, timeFormat()).toStdString() + ')';
        else
            text += " s on the clock of the trace, which has no date";
        text += ", " + lengthOf(m_range.duration());
        if (m_range != m_recorded)
            text += " of " + lengthOf(m_recorded.duration()) + " recorded";
        return text + '.';
    }

    /// Returns the command of a part with its traces, for the reader or to be run.
    std::vector<std::string> commandOf(const ReportPart& part) const
    {
        std::vector<std::string> words{part.words.front()};
        if (part.file.empty())
            for (const auto& trace : m_request.traces)
                words.push_back(trace.string());
        else
            words.push_back(part.file);
        words.insert(words.end(), part.words.begin() + 1, part.words.end());
        for (const auto& option : m_request.selection)
            if (!isGiven(words, option.front()) && hasOption(words.front(), option.front()))
                words.insert(words.end(), option.begin(), option.end());
        if (part.file.empty())
            words.insert(words.end(), m_request.reading.begin(), m_request.reading.end());
        return words;
    }

    /// True if an option is among the words of a command line, as "--begin" or "--begin=VALUE".
    static bool isGiven(const std::vector<std::string>& words, const std::string& option)
    {
        return std::ranges::any_of(words, [&](const std::string& it) { return it == option || it.starts_with(option + '='); });
    }

    /// Runs the command of a part; `capture`, made before, receives its output. Returns its exit status.
    int runPart(const std::vector<std::string>& words)
    {
        const KeptExperiments::Use use(m_opened);
        return runCaptured(words);
    }

    static Error failureOf(const CommandCapture& capture, const std::string& command, int status)
    {
        const std::string why = capture.failure();
        const auto kind = capture.hasRunOutOfMemory() ? Error::Kind::Full
            : status == ExitUsage                     ? Error::Kind::Usage
                                                      : Error::Kind::Unsupported;
        return {kind, command + ": " + (why.empty() ? "failed" : why)};
    }

    /// Returns what the report shows instead of a part that failed and is not required: nothing if the recording does not have what the
    /// part needs, but a note if memory ran out.
    static std::string failedPartHtml(const Error& error)
    {
        return error.kind == Error::Kind::Full ? "<p class=\"note\">Left out: " + htmlText(error.what) + "</p>\n" : std::string();
    }

    void addRecording()
    {
        CommandCapture capture({}, m_stop);
        runPart(commandOf({{}, {"info"}}));
        std::string body;
        std::string environment;
        std::string missing;
        std::string facts;
        std::size_t trace = 0; // Index of the trace that the lines describe; the number of traces for lines about all of them.
        std::size_t leftOut = 0;
        const bool areSeveral = m_timeline.traces.size() > 1;
        const auto endTrace = [&] {
            if (trace >= MostTraces && trace < m_timeline.traces.size())
                ++leftOut;
            else if (!facts.empty()) {
                const std::string name = !areSeveral   ? std::string()
                    : trace < m_timeline.traces.size() ? m_timeline.traces[trace].trace->info().name
                                                       : "Together";
                body += "<div>" + (name.empty() ? "" : "<h3>" + htmlText(name) + "</h3>\n") + "<dl>" + facts + "</dl>\n";
                if (!environment.empty())
                    body += "<details><summary>Recorded environment</summary><dl>" + environment + "</dl></details>\n";
                body += "</div>\n";
            }
            ++trace;
            facts.clear();
            environment.clear();
        };
        std::set<std::string> lacks;
        for (const auto& [name, text] : infoLines(capture.text())) {
            if (name.empty()) {
                endTrace();
                continue;
            }
            const std::string item = "<dt>" + htmlText(columnTitle(name)) + "</dt><dd>" + htmlText(text) + "</dd>\n";
            if (name == "env")
                environment += "<dt>" + htmlText(text.substr(0, text.find(" = "))) + "</dt><dd>"
                    + htmlText(text.find(" = ") == std::string_view::npos ? "" : text.substr(text.find(" = ") + 3)) + "</dd>\n";
            else if (name == "not recorded" || name == "sampled")
                lacks.insert(lackItem(text));
            else
                facts += item;
        }
        endTrace();
        if (areSeveral)
            body = "<div class=\"traces\">\n" + body + "</div>\n";
        if (leftOut > 0)
            body += leftOut == 1 ? "<p class=\"note\">The facts of 1 further trace are left out.</p>\n"
                                 : fmt::format("<p class=\"note\">The facts of {} further traces are left out.</p>\n", leftOut);
        for (const std::string& lack : lacks)
            missing += lack;
        if (m_timeline.hosts.size() > 1) {
            CommandCapture clocks({}, m_stop);
            runPart(commandOf({{}, {"sync"}}));
            body += "<h3>Clocks</h3>\n<ul>\n";
            std::string_view lines = clocks.text();
            while (!lines.empty()) {
                const std::string_view line = lines.substr(0, lines.find('\n'));
                lines.remove_prefix(std::min(lines.size(), line.size() + 1));
                body += "<li>" + htmlText(line) + "</li>\n";
            }
            body += "</ul>\n";
        }
        if (!missing.empty())
            body += "<h3>Not recorded</h3>\n<ul>\n" + missing + "</ul>\n";
        m_sections.push_back({"Recording", body + messagesHtml(capture.messages())});
    }

    /// Returns a list item for events that were not recorded, with the command in a font of its own.
    static std::string lackItem(std::string_view text)
    {
        for (const std::string_view before : {"record them with: ", "record them at the same time with: "})
            if (const auto at = text.find(before); at != std::string_view::npos)
                return "<li>" + htmlText(text.substr(0, at + before.size())) + "<code>" + htmlText(text.substr(at + before.size()))
                    + "</code></li>\n";
        return "<li>" + htmlText(text) + "</li>\n";
    }

    static std::string messagesHtml(const std::vector<std::string>& messages)
    {
        std::string html;
        for (const std::string& message : messages)
            html += "<p class=\"note warn\">" + htmlText(message) + "</p>\n";
        return html;
    }

    void addBookmarks()
    {
        if (m_request.bookmarks.empty())
            return;
        CapturedTable table{{"note", "time", "end", "duration"}, {}, m_request.bookmarks.size(), m_times};
        for (const ReportBookmark& it : m_request.bookmarks) {
            if (table.rows.size() == MostBookmarks)
                break;
            const bool isRange = !it.range.isEmpty();
            table.rows.push_back(
                {it.note, it.range.begin, isRange ? Cell(it.range.end) : Cell(), isRange ? Cell(it.range.duration()) : Cell()});
        }
        m_sections.push_back({"Bookmarks", tableHtml(table, cutText(table, "bookmarks", {}), {}, {}, m_colors)});
    }

    Status addSection(const ReportSection& section)
    {
        std::string body;
        for (const ReportPart& part : section.parts) {
            if (m_stop.stop_requested())
                return Error{Error::Kind::Cancelled, "the report was stopped"};
            if (m_progress)
                m_progress(m_done, m_total);
            auto html = partHtml(part);
            if (!html)
                return html.error();
            body += *html;
            ++m_done;
        }
        if (!body.empty())
            m_sections.push_back({section.title, std::move(body)});
        return Done{};
    }

    /// Returns the picture or tables of a part; empty to leave the part out.
    Result<std::string> partHtml(const ReportPart& part)
    {
        const std::vector<std::string> words = commandOf(part);
        const bool isRendered = part.words.front() == "render";
        std::string body;
        std::vector<const RenderRequest*> pictures;
        for (const RenderRequest& it : part.pictures)
            pictures.push_back(&it);
        if (isRendered && pictures.empty())
            pictures.push_back(nullptr);
        for (const RenderRequest* picture : pictures) {
            auto html = pictureHtml(part, words, picture);
            if (!html)
                return html;
            body += *html;
        }
        if (!isRendered) {
            auto tables = tablesHtml(part, words);
            if (!tables)
                return tables;
            body += *tables;
        }
        if (body.empty())
            return body;
        std::string html = part.title.empty() ? std::string() : "<h3>" + htmlText(part.title) + "</h3>\n";
        html += body + "<p class=\"cmd\">heliograph " + commandHtml(shellLine(words)) + "</p>\n";
        return html;
    }

    Result<std::string> tablesHtml(const ReportPart& part, const std::vector<std::string>& words)
    {
        CaptureLimits limits;
        limits.mostRows = part.mostRows;
        limits.sortedBy = part.sortedBy;
        CommandCapture capture(limits, m_stop);
        const int status = runPart(words);
        const auto hasRows = std::ranges::any_of(capture.tables(), [](const CapturedTable& it) { return it.allRows > 0; });
        if (status != ExitDone && !hasRows && part.isRequired)
            return failureOf(capture, part.words.front(), status);
        const bool isText = capture.tables().empty() && !capture.text().empty();
        if (!hasRows && !isText && !part.isRequired)
            return failedPartHtml(failureOf(capture, part.words.front(), status));
        std::string html;
        if (isText)
            return textHtml(capture.text(), part.mostRows) + messagesHtml(capture.messages());
        if (const std::string_view text = capture.text(); !text.empty() && std::ranges::find(words, "--histogram") == words.end())
            html += "<p class=\"note\">" + linesHtml(text) + "</p>\n";
        for (const CapturedTable& captured : capture.tables()) {
            const CapturedTable table = words.front() == "sql" ? withTimes(captured) : captured;
            if (table.rows.empty())
                html += "<p class=\"note\">No rows.</p>\n";
            else if (std::ranges::find(words, "--histogram") != words.end())
                html += histogramHtml(table, "Histogram of durations: " + part.title, m_colors);
            else
                html += tableHtml(table, cutText(table, "rows", part.sortedBy), part.sortedBy, m_legend, m_colors, leftOutOf(part));
        }
        if (!capture.footnotes().empty())
            html += "<p class=\"note\">" + linesHtml(capture.footnotes()) + "</p>\n";
        return html + messagesHtml(capture.messages());
    }

    /// Returns a table of SQL with its times and durations, which are numbers of ns, as such.
    CapturedTable withTimes(CapturedTable table) const
    {
        table.times = m_times;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const SqlColumnRole role = sqlColumnRole(table.columns[column]);
            for (auto& cells : table.rows) {
                Cell& cell = cells[column];
                if (cell.kind == Cell::Kind::Integer && role == SqlColumnRole::Time)
                    cell = Cell(timestamp(cell.number));
                else if (cell.kind == Cell::Kind::Integer && role == SqlColumnRole::Length && cell.number >= 0)
                    cell = Cell(Duration(cell.number));
            }
        }
        return table;
    }

    /// Returns the columns of a part that are not shown: those of the part, and the number of the trace if there is only one.
    std::vector<std::string> leftOutOf(const ReportPart& part) const
    {
        std::vector<std::string> columns = part.leftOut;
        if (m_timeline.traces.size() == 1)
            columns.emplace_back("trace");
        return columns;
    }

    /// Returns the output of a command that prints no table: its first lines.
    static std::string textHtml(std::string_view text, std::size_t mostLines)
    {
        std::string html;
        std::size_t lines = 0;
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            if (lines++ < mostLines)
                html += htmlText(line) + '\n';
        }
        return "<pre>" + html + "</pre>\n"
            + (lines > mostLines ? fmt::format("<p class=\"note\">The first {} lines.</p>\n", mostLines) : "");
    }

    /// Returns a command line, whose statements of SQL may have several lines.
    static std::string commandHtml(std::string_view text)
    {
        std::string html;
        for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
            end = std::min(text.find('\n', begin), text.size());
            html += (begin > 0 ? "\n" : "") + htmlText(text.substr(begin, end - begin));
        }
        return html;
    }

    static std::string linesHtml(std::string_view text)
    {
        std::string html;
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            if (!line.empty())
                html += (html.empty() ? "" : "<br>") + htmlText(line);
        }
        return html;
    }

    /// Returns the caption of a table: how many rows it has, and which.
    static std::string cutText(const CapturedTable& table, const char* noun, const std::string& sortedBy)
    {
        const std::string order = sortedBy.empty() || std::ranges::find(table.columns, sortedBy) == table.columns.end()
            ? std::string()
            : ", largest “" + columnTitle(sortedBy) + "” first";
        if (!table.isCut())
            return fmt::format("{} {}{}", table.allRows,
                               table.allRows == 1 ? std::string(noun, std::char_traits<char>::length(noun) - 1) : noun, order);
        return order.empty() ? fmt::format("The first {} of {} {}", table.rows.size(), table.allRows, noun)
                             : fmt::format("{} of {} {}{}", table.rows.size(), table.allRows, noun, order);
    }

    /// Returns a picture that is drawn as requested, or by the command if `request` is nullptr.
    Result<std::string> pictureHtml(const ReportPart& part, const std::vector<std::string>& words, const RenderRequest* request)
    {
        if (m_pictureBytes > MostPictureBytes)
            return std::string(
                "<p class=\"note\">Left out: the pictures of the report would be too large. Make a picture of its own:</p>\n");
        const auto view = std::ranges::find(words, "--view");
        const std::string viewId = view != words.end() && view + 1 != words.end() ? *(view + 1) : std::string();
        std::string pictures;
        std::vector<std::string> messages;
        for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark}) {
            if (kind == Theme::Kind::Dark && !m_colors.hasDark())
                continue;
            auto svg = request ? drawn(*request, kind, messages) : drawnBy(words, kind, messages);
            if (!svg)
                return part.isRequired ? Result<std::string>(svg.error()) : failedPartHtml(svg.error());
            const char* const cssClass = kind == Theme::Kind::Light ? "light" : "dark";
            const std::string name = !part.title.empty() ? part.title
                : request && request->result             ? request->result->subtitle.toStdString()
                                                         : viewId;
            pictures += inlineSvg(*svg, fmt::format("picture{}", ++m_pictures), name, fmt::format("picture {}", cssClass).c_str());
        }
        if (pictures.empty())
            return std::string();
        m_pictureBytes += pictures.size();
        return "<figure>\n" + pictures + legendHtml(viewId) + "</figure>\n" + notesHtml(messages);
    }

    static std::string notesHtml(const std::vector<std::string>& messages)
    {
        std::string html;
        for (const std::string& message : messages)
            html += "<p class=\"note\">" + htmlText(message) + "</p>\n";
        return html;
    }

    /// Draws a picture in a theme, as SVG. `messages` receives what it leaves out.
    static Result<std::string> drawn(RenderRequest request, Theme::Kind kind, std::vector<std::string>& messages)
    {
        const CaptureLimits limits;
        request.size = QSize(limits.pictureWidth, 0);
        const PictureFit fit = fitBusiestRows(request, limits.tallestPicture);
        request.size.setHeight(fit.height);
        messages.clear();
        if (fit.isCut())
            messages.push_back(fmt::format("The picture shows the first {} of {} rows.", fit.shownRows, fit.allRows));
        const QByteArray bytes = renderedPicture(request, Theme::make(kind), 2, PictureFormat::Svg);
        return bytes.isEmpty() ? Result<std::string>(Error{Error::Kind::Full, "cannot draw the picture"}) : bytes.toStdString();
    }

    /// Draws the picture of a command in a theme, as SVG. `messages` receives what the command says about it.
    Result<std::string> drawnBy(std::vector<std::string> words, Theme::Kind kind, std::vector<std::string>& messages)
    {
        words.insert(words.end(), {"-o", "picture.svg", "--theme", kind == Theme::Kind::Light ? "light" : "dark"});
        CommandCapture capture({}, m_stop);
        const int status = runPart(words);
        messages = capture.messages();
        if (capture.drawing().empty())
            return failureOf(capture, "render", status);
        return capture.drawing();
    }

    /// Returns the legend of a view: the states that occur in the range, in the order of the window's legend. Empty for a view without
    /// states. Remembers the states for the swatches of tables.
    std::string legendHtml(const std::string& view)
    {
        StateLegend found;
        const Theme theme = Theme::make(Theme::Kind::Light);
        if (!view.empty() && view != "flame")
            for (const auto& [name, state] : occurringStates(m_timeline, view, m_range))
                found.emplace(name, theme.lookOf(state));
        std::vector<std::pair<std::string, StateAppearance>> looks(found.begin(), found.end());
        std::ranges::stable_sort(looks, {}, [](const auto& it) { return it.second.order; });
        m_legend = std::move(found);
        std::string html;
        for (const auto& [name, look] : looks)
            html += "<li>" + swatchHtml(look, m_colors) + htmlText(look.words.toStdString()) + "</li>";
        return html.empty() ? html : "<figcaption><ul class=\"legend\" aria-label=\"Legend\">" + html + "</ul></figcaption>\n";
    }

    Status addLosses()
    {
        // The end of a range is exclusive, and a gap may end with the recording.
        if (losses(m_timeline, {m_range.begin, m_range.end + Duration(1)}).empty())
            return Done{};
        std::string query = "SELECT ts, dur, trace_id, cpu, events, packets FROM loss";
        if (m_range != m_recorded)
            query += fmt::format(" WHERE ts <= {} AND ts + dur > {}", nanoseconds(m_range.end), nanoseconds(m_range.begin));
        ReportPart part{{}, {"sql", query}};
        part.mostRows = MostLosses;
        part.isRequired = true;
        if (m_timeline.traces.size() == 1)
            part.leftOut = {"trace_id"};
        auto body = partHtml(part);
        if (!body)
            return body.error();
        m_sections.push_back(
            {"Lost events",
             "<p class=\"note\">In these ranges, events were lost or are damaged; what happened there is unknown.</p>\n" + *body});
        return Done{};
    }

    void addReproduction()
    {
        if (m_request.command.empty())
            return;
        m_sections.push_back({"Make this report again",
                              "<pre>" + commandHtml(m_request.command) + "</pre>\n<p class=\"note\">Made by Heliograph "
                                  + htmlText(version()) + ". Numbers are those that the commands below pictures and tables print.</p>\n"});
    }

    std::string document()
    {
        std::string contents;
        std::string body;
        for (std::size_t i = 0; i < m_sections.size(); ++i) {
            contents += fmt::format("<li><a href=\"#s{}\">{}</a></li>", i, htmlText(m_sections[i].title));
            body += fmt::format("<section id=\"s{0}\" aria-labelledby=\"h{0}\">\n<h2 id=\"h{0}\">{1}</h2>\n{2}</section>\n", i,
                                htmlText(m_sections[i].title), m_sections[i].body);
            m_sections[i].body.clear();
        }
        const std::string name = htmlText(m_request.title.empty() ? defaultTitle() : m_request.title);
        const QByteArray hash = QCryptographicHash::hash(QByteArray(ReportScript), QCryptographicHash::Sha256).toBase64();
        // The policy forbids to load anything, and to run any script but this one, even if a name were not escaped.
        std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
                           "'unsafe-inline'; script-src 'sha256-"
            + hash.toStdString()
            + "'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\""
            + (m_request.theme == ReportTheme::Auto        ? "light dark"
                   : m_request.theme == ReportTheme::Light ? "light"
                                                           : "dark")
            + "\">\n<meta name=\"generator\" content=\"Heliograph " + htmlText(version()) + "\">\n<title>" + name + "</title>\n<style>"
            + m_colors.rules() + ReportCss + "</style>\n</head>\n<body>\n<header><h1>" + name + "</h1>\n<p class=\"sub\">"
            + htmlText(rangeLine()) + "</p></header>\n<nav aria-label=\"Contents\"><ol>" + contents + "</ol></nav>\n<main>\n";
        html += body;
        html += "</main>\n<script>";
        html += ReportScript;
        return html + "</script>\n</body>\n</html>\n";
    }

    const ReportRequest& m_request;
    const Timeline& m_timeline;
    const ReportProgress& m_progress;
    std::stop_token m_stop;
    KeptExperiments m_opened; ///< Timeline of the report, which the commands use.
    ReportColors m_colors;
    TimeStyle m_times;
    TimeRange m_recorded; ///< Range of the whole recording.
    TimeRange m_range; ///< Range of the report.
    StateLegend m_legend; ///< States of the last picture's view.
    std::vector<Section> m_sections;
    std::size_t m_done = 0;
    std::size_t m_total = 0;
    std::size_t m_pictures = 0;
    std::size_t m_pictureBytes = 0;
};

} // namespace

std::map<std::string, StateKind, std::less<>> occurringStates(const Timeline& timeline, const std::string& view, TimeRange range)
{
    std::map<std::string, StateKind, std::less<>> found;
    for (const Row& row : rows(timeline, view)) {
        const StateSet& set = statesOf(timeline, row.ref);
        const TimeRange part = row.life.clippedTo(range);
        if (!row.ref.isValid() || row.valueKind == ValueKind::Number || set.title.empty() || part.isEmpty())
            continue;
        for (const StateTotal& total : totals(timeline, row.ref, part))
            if (total.count > 0 && std::size_t(total.state) < set.states.size())
                found.try_emplace(set.states[std::size_t(total.state)].name, set.states[std::size_t(total.state)]);
    }
    return found;
}

Result<std::string> makeReport(const ReportRequest& request, const ReportProgress& progress, std::stop_token stop)
{
    return ReportWriter(request, progress, std::move(stop)).make();
}

Status saveReport(const ReportRequest& request, const std::filesystem::path& file, const ReportProgress& progress, std::stop_token stop)
{
    if (Status checked = checkOutside(file, *request.timeline, request.traces); !checked)
        return checked;
    const Error stopped{Error::Kind::Cancelled, "the report was stopped"};
    Result<std::string> html = stopped;
    try {
        html = makeReport(request, progress, stop);
    } catch (const CommandCancelled&) {
        return stopped;
    }
    if (!html)
        return html.error();
    if (stop.stop_requested())
        return stopped;
    const Status saved = saveFile(file, *html);
    return saved ? saved : Error{saved.error().kind, file.string() + ": " + saved.error().what};
}

} // namespace helio
