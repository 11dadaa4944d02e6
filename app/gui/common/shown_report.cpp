#include "app/gui/common/shown_report.h"

#include "app/cli/command_line.h"
#include "core/base/shell_words.h"
#include "core/query/rows/views.h"
#include "widgets/time/bookmarks.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/result_panel_view.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/view_context.h"

#include <algorithm>
#include <set>
#include <utility>

namespace helio {

namespace {

/// Sets in `request` the rows that a panel shows, with their order and density, or the curves or the result of a query that it shows.
void takeShown(RenderRequest& request, const TimePanel& panel)
{
    if (const auto* result = dynamic_cast<const ResultPanelView*>(&panel))
        request.result = result->shown();
    if (const auto* rows = dynamic_cast<const TrackPanel*>(&panel))
        request.rows = rows->graph()->rows();
    const auto* curves = dynamic_cast<const CurvesPanel*>(&panel);
    if (!curves)
        return;
    std::set<CounterRef> shown;
    for (int i = 0; i < int(curves->graph()->series().size()); ++i)
        if (const NamedSeries& it = curves->graph()->series()[std::size_t(i)]; !it.ratio && curves->graph()->isShown(i))
            shown.insert(it.series.ref);
    request.acceptsSeries = [shown](const ViewSeries& it, const SeriesOwner&) { return shown.contains(it.ref); };
}

std::vector<std::string> wordsOf(const QStringList& words)
{
    std::vector<std::string> plain;
    for (const QString& word : words)
        plain.push_back(word.toStdString());
    return plain;
}

/// Returns the part with a command; nullptr if there is none.
ReportPart* findPart(ReportRequest& request, const std::vector<std::string>& words)
{
    for (ReportSection& section : request.sections)
        if (const auto found = std::ranges::find(section.parts, words, &ReportPart::words); found != section.parts.end())
            return &*found;
    return nullptr;
}

/// Returns the words that draw a flame graph, for the words that print its tree; nullopt if no options of `render` do that.
std::optional<std::vector<std::string>> flamePicture(const std::vector<std::string>& words)
{
    if (words.front() != "flame" || std::ranges::find(words, "--table") != words.end())
        return {};
    for (const std::string& word : words)
        if (word.starts_with("--") && !hasOption("render", word))
            return {};
    std::vector<std::string> picture{"render", "--view", "flame"};
    picture.insert(picture.end(), words.begin() + 1, words.end());
    return picture;
}

} // namespace

RenderRequest shownPicture(ViewContext& context, const TimePanel& panel)
{
    RenderRequest request;
    request.timeline = context.timeline();
    request.view = panel.id();
    request.window = context.time().visible().clippedTo(request.timeline->range);
    request.selection = context.time().selection();
    request.format = context.timeFormat();
    request.labelWidth = panel.axis().labelWidth();
    request.withArrows = panel.axis().showsArrows();
    takeShown(request, panel);
    return request;
}

ReportRequest makeShownReport(ViewContext& context, const TimePanels& panels, const std::vector<ShownTable>& docks)
{
    ReportRequest request;
    request.timeline = context.timeline();
    request.range = context.time().visible();
    for (const TimePanel* panel : panels.panels()) {
        const auto* result = dynamic_cast<const ResultPanelView*>(panel);
        if (!panel->isVisible() || panel->isCollapsed() || panel->isVacant() || (result && !result->shown().data))
            continue;
        ReportPart part;
        // No command draws the result of a query, so a table follows its picture.
        part.words = wordsOf(result ? result->shownCommand().words
                                    : QStringList{"render"} + optionWords("--view", QString::fromStdString(panel->id()))
                                     + rangeOptions(context.time(), context.time().visible()));
        if (ReportPart* same = findPart(request, part.words)) { // Another panel shows the same rows.
            same->pictures.push_back(shownPicture(context, *panel));
            continue;
        }
        part.pictures.push_back(shownPicture(context, *panel));
        const QString title = result ? panel->name() + QStringLiteral(": ") + result->shown().subtitle : panel->name();
        request.sections.push_back({title.toStdString(), {std::move(part)}});
    }
    for (const ShownTable& dock : docks) {
        if (dock.command.words.isEmpty() || dock.command.words.front().startsWith("--")
            || !isReportCommand(dock.command.words.front().toStdString()) || !dock.command.traceOption.isEmpty())
            continue;
        if (findPart(request, wordsOf(dock.command.words))) // A panel shows the same rows.
            continue;
        ReportPart part;
        part.words = wordsOf(dock.command.words);
        part.file = dock.command.file.toStdString();
        ReportSection section{dock.title.toStdString(), {}};
        if (auto picture = flamePicture(part.words))
            section.parts.push_back({{}, std::move(*picture)});
        section.parts.push_back(std::move(part));
        request.sections.push_back(std::move(section));
    }
    for (const Bookmark& it : context.bookmarks().all())
        request.bookmarks.push_back({it.range, it.name.toStdString()});
    return request;
}

ShownCommand reportCommand(const ReportRequest& request)
{
    QStringList words{"report", "-o", "report.html"};
    words += optionWords("--title", QString::fromStdString(request.title));
    if (request.timeline && request.range != request.timeline->range)
        words << "--begin" << QString::number(nanoseconds(request.range.begin)) << "--end"
              << QString::number(nanoseconds(request.range.end));
    for (const ReportSection& section : request.sections)
        for (const ReportPart& part : section.parts)
            if (part.file.empty())
                words += optionWords("--section", QString::fromStdString(section.title + ": " + shellLine(part.words)));
    for (const ReportBookmark& it : request.bookmarks) {
        QString text = QString::number(nanoseconds(it.range.begin));
        if (!it.range.isEmpty())
            text += ".." + QString::number(nanoseconds(it.range.end));
        words += optionWords("--bookmark", text + ' ' + QString::fromStdString(it.note));
    }
    return {words, {}, {}};
}

} // namespace helio
