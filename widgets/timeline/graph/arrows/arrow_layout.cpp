#include "widgets/timeline/graph/arrows/arrow_layout.h"

#include <cmath>
#include <map>

namespace helio {

namespace {

constexpr double LeastSpread = 1; ///< Minimum error in pixels, to either side, that is drawn.
constexpr double LeastLength = 6; ///< Minimum length in pixels of a line whose ends are on the same row.

double columnOf(const TimeScale& scale, Timestamp at) { return std::floor(scale.xAt(at)) + 0.5; }

/// Groups of arrows that get lines together. An arrow belongs to the first group that applies. Arrows that begin or end the selected state
/// always get lines.
enum class ArrowGroup {
    EndOfState,
    SelectedState,
    SelectedRow,
    HoveredRow,
    Messages, ///< Messages between hosts. They form their own group, so that many links within a host do not hide them.
    Other,
};

ArrowGroup arrowGroupOf(const Arrow& arrow, int from, int to, const ArrowLayoutContext& place)
{
    const auto touches = [&](int row) { return row >= 0 && (row == from || row == to); };
    const TimeRange state = place.selectedState;
    const auto isAtState = [&](int row, Timestamp at) {
        return row >= 0 && row == place.selectedRow && !state.isEmpty() && state.begin <= at && at <= state.end;
    };
    const auto isEnd = [&](Timestamp at) { return at == state.begin || at == state.end; };
    const bool leaves = isAtState(from, arrow.fromTime);
    const bool reaches = isAtState(to, arrow.toTime);
    if ((leaves && isEnd(arrow.fromTime)) || (reaches && isEnd(arrow.toTime)))
        return ArrowGroup::EndOfState;
    if (leaves || reaches)
        return ArrowGroup::SelectedState;
    if (touches(place.selectedRow))
        return ArrowGroup::SelectedRow;
    const bool reachesPointed = to == place.hoveredRow && place.pointedState.contains(arrow.toTime);
    if (touches(place.hoveredRow) && (place.pointedState.isEmpty() || reachesPointed))
        return ArrowGroup::HoveredRow;
    return place.areAll && arrow.message != NoMessage ? ArrowGroup::Messages : ArrowGroup::Other;
}

/// Arrow to lay out, with the two ways to draw it: a line, and a triangle mark that replaces the line if there are too many arrows. nullopt
/// if the arrow cannot be drawn in this way.
struct Candidate {
    std::optional<ArrowLine> line;
    std::optional<ArrowMark> mark;
    int toRow = -1;
    ArrowGroup owner = ArrowGroup::Other;
};

std::optional<ArrowMark> markOf(const Arrow& arrow, const GraphRows& rows, int to, const ArrowLayoutContext& place)
{
    if (to < 0)
        return {};
    const double x = columnOf(place.scale, arrow.toTime);
    const int top = rows.top(to) - place.scrollY;
    const RowMetrics metrics = rows.metrics(to);
    const bool isSeen = top + metrics.height >= 0 && top <= place.height && x >= 0 && x <= place.scale.width();
    const bool isCounted = arrow.kind == LinkKind::Wakeup || arrow.message != NoMessage;
    if (!place.areAll || !isCounted || !isSeen)
        return {};
    return ArrowMark{QPointF(x, top + metrics.baseline() - metrics.band / 2 - 2)};
}

/// Rejects lines that are closer than LeastArrowGap to an accepted line between the same two rows.
class LineSpacer {
public:
    bool takes(int from, int to, double x)
    {
        const auto last = m_last.find({from, to});
        if (last != m_last.end() && std::abs(x - last->second) < LeastArrowGap)
            return false;
        m_last[{from, to}] = x;
        return true;
    }

private:
    std::map<std::pair<int, int>, double> m_last; ///< x of the last accepted line, by pair of rows.
};

/// Appends the candidate's mark unless it would overlap the previous mark.
void putMark(const Candidate& candidate, std::pair<int, int>& last, std::vector<ArrowMark>& marks)
{
    if (!candidate.mark)
        return;
    const int x = int(candidate.mark->tip.x());
    if (candidate.toRow == last.first && std::abs(x - last.second) < 3)
        return;
    last = {candidate.toRow, x};
    marks.push_back(*candidate.mark);
}

double distanceTo(const ArrowLine& line, QPointF at)
{
    const QPointF along = line.to - line.from;
    const double length = QPointF::dotProduct(along, along);
    const double share = length > 0 ? std::clamp(QPointF::dotProduct(at - line.from, along) / length, 0.0, 1.0) : 0;
    const QPointF off = at - (line.from + along * share);
    return std::hypot(off.x(), off.y());
}

} // namespace

namespace {

/// Indexes of the rows of an arrow's two ends; -1 for an end without a row in this panel.
struct EndRows {
    int from = -1;
    int to = -1;
};

bool isMessage(const Arrow& arrow) { return arrow.message != NoMessage; }

/// Finds the rows of an arrow's ends. An end of a message that has no row gets the row of its host's heading. If both ends have no row,
/// headings are used only if both threads are unknown: a known thread has a row that is hidden at present, so the message is hidden as
/// well.
EndRows endRows(const Arrow& arrow, const GraphRows& rows, const ArrowLayoutContext& place)
{
    EndRows ends{rows.find(arrow.from), rows.find(arrow.to)};
    if (!isMessage(arrow) || !place.timeline || (ends.from >= 0 && ends.to >= 0))
        return ends;
    const auto isUnknown = [&](TrackRef end) { return hasNoThread(*place.timeline, end); };
    const bool haveUnknownThreads = rows.hasThreads() && isUnknown(arrow.from) && isUnknown(arrow.to);
    if (!rows.hasHosts() || (ends.from < 0 && ends.to < 0 && !haveUnknownThreads))
        return ends;
    const LinkTimes times = linkTimes(*place.timeline, arrow);
    return {ends.from >= 0 ? ends.from : rows.findHost(times.fromHost), ends.to >= 0 ? ends.to : rows.findHost(times.toHost)};
}

/// Sets the direction and the error of a message's line, from the clocks of its two hosts.
void addTimes(ArrowLine& line, const ArrowLayoutContext& place)
{
    if (!place.timeline || !isMessage(line.arrow))
        return;
    const LinkTimes times = linkTimes(*place.timeline, line.arrow);
    line.order = times.order;
    const double spread = times.error == UnknownError ? 0 : place.scale.pixelsOf(times.error);
    line.spread = spread < LeastSpread ? 0 : std::min(spread, 2 * place.scale.width());
}

/// Returns the line of an arrow whose ends are on the same row; nullopt unless the arrow is a message of at least LeastLength pixels.
std::optional<ArrowLine> lineAlong(const Arrow& arrow, double fromX, double toX, double y)
{
    if (!isMessage(arrow) || std::abs(toX - fromX) < LeastLength)
        return {};
    return ArrowLine{{fromX, y}, {toX, y}, arrow};
}

std::optional<ArrowLine> lineBetween(const Arrow& arrow, EndRows ends, const GraphRows& rows, const ArrowLayoutContext& place)
{
    const bool isStub = ends.from < 0 && ends.to >= 0 && (arrow.kind == LinkKind::Wakeup || isMessage(arrow));
    const bool isOutgoingStub = ends.to < 0 && ends.from >= 0 && isMessage(arrow);
    if ((ends.from < 0 && !isStub) || (ends.to < 0 && !isOutgoingStub))
        return {};
    const double fromX = columnOf(place.scale, arrow.fromTime);
    const double toX = columnOf(place.scale, arrow.toTime);
    const auto topOf = [&](int row) { return double(rows.top(row) - place.scrollY); };
    if (ends.from == ends.to)
        return lineAlong(arrow, fromX, toX, topOf(ends.to) + rows.metrics(ends.to).bandTop);
    const bool isDown = ends.from < ends.to;
    const auto edge = [&](int row, bool isBelow) {
        return topOf(row) + (isBelow ? rows.metrics(row).baseline() : rows.metrics(row).bandTop);
    };
    ArrowLine line{{}, {}, arrow, false, isStub, isOutgoingStub};
    if (isOutgoingStub) {
        line.from = {fromX, edge(ends.from, true)};
        line.to = line.from + QPointF(0, StubLength);
        return line;
    }
    line.to = {toX, edge(ends.to, !isDown)};
    line.from = isStub ? line.to - QPointF(0, StubLength) : QPointF(fromX, edge(ends.from, isDown));
    return line;
}

} // namespace

std::optional<ArrowLine> layOutArrow(const Arrow& arrow, const GraphRows& rows, const ArrowLayoutContext& place)
{
    auto line = lineBetween(arrow, endRows(arrow, rows, place), rows, place);
    if (!line)
        return {};
    const auto [top, bottom] = std::minmax({line->from.y(), line->to.y()});
    const auto [left, right] = std::minmax({line->from.x(), line->to.x()});
    if (bottom < 0 || top > place.height || right < 0 || left > place.scale.width())
        return {};
    addTimes(*line, place);
    return line;
}

ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowLayoutContext& place)
{
    const bool areFew = double(place.total) < place.limit();
    std::vector<Candidate> candidates;
    std::map<ArrowGroup, int> counts;
    LineSpacer apart;
    for (const Arrow& arrow : arrows) {
        const auto [from, to] = endRows(arrow, rows, place);
        if ((to < 0 || from == to) && !isMessage(arrow))
            continue;
        Candidate it{{}, markOf(arrow, rows, to, place), to, arrowGroupOf(arrow, from, to, place)};
        if (areFew || it.owner != ArrowGroup::Other) {
            it.line = layOutArrow(arrow, rows, place);
            if (it.line && !apart.takes(from, to, it.line->to.x()) && it.owner != ArrowGroup::EndOfState)
                continue;
            counts[it.owner] += it.line.has_value();
        }
        if (it.line || it.mark)
            candidates.push_back(std::move(it));
    }
    ArrowLayout layout;
    std::pair<int, int> lastMark{-1, 0};
    for (Candidate& it : candidates) {
        if (it.line && (areFew || it.owner == ArrowGroup::EndOfState || counts[it.owner] < place.limit()))
            layout.lines.push_back(std::move(*it.line));
        else
            putMark(it, lastMark, layout.marks);
    }
    return layout;
}

const ArrowLine* ArrowLayout::lineAt(QPointF at, double reach) const
{
    const ArrowLine* nearest = nullptr;
    for (const ArrowLine& line : lines) {
        if (const double distance = distanceTo(line, at); distance <= reach) {
            nearest = &line;
            reach = distance;
        }
    }
    return nearest;
}

} // namespace helio
