#include "widgets/timegraph/arrows/arrow_layout.h"

#include <cmath>
#include <map>

namespace helio {

namespace {

double columnOf(const TimeScale& scale, Timestamp at) { return std::floor(scale.xAt(at)) + 0.5; }

/// Whose an arrow is: the first that applies. What begins or ends the selected state is always drawn.
enum class Owner { EndOfState, SelectedState, SelectedRow, HoveredRow, Nobody };

Owner ownerOf(const Arrow& arrow, int from, int to, const ArrowPlace& place)
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
        return Owner::EndOfState;
    if (leaves || reaches)
        return Owner::SelectedState;
    if (touches(place.selectedRow))
        return Owner::SelectedRow;
    return touches(place.hoveredRow) ? Owner::HoveredRow : Owner::Nobody;
}

/// Where one arrow ends: a line if it may be one, and the mark that stands for it else.
struct Candidate {
    std::optional<ArrowLine> line;
    std::optional<ArrowMark> mark;
    int toRow = -1;
    Owner owner = Owner::Nobody;
};

std::optional<ArrowMark> markOf(const Arrow& arrow, const GraphRows& rows, int to, const ArrowPlace& place)
{
    const double x = columnOf(place.scale, arrow.toTime);
    const int top = rows.top(to) - place.scrollY;
    const RowMetrics metrics = rows.metrics(to);
    const bool isSeen = top + metrics.height >= 0 && top <= place.height && x >= 0 && x <= place.scale.width();
    if (!place.areAll || arrow.kind != LinkKind::Wakeup || !isSeen)
        return {};
    return ArrowMark{QPointF(x, top + metrics.baseline() - metrics.band / 2 - 2)};
}

/// Lines between the same rows that would run together are one.
class Apart {
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
    std::map<std::pair<int, int>, double> m_last; ///< By rows: where the last line between them ends.
};

/// Marks as long as one does not cover another.
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

std::optional<ArrowLine> layOutArrow(const Arrow& arrow, const GraphRows& rows, const ArrowPlace& place)
{
    const int from = rows.find(arrow.from);
    const int to = rows.find(arrow.to);
    const bool isStub = from < 0 && arrow.kind == LinkKind::Wakeup;
    if (to < 0 || from == to || (from < 0 && !isStub))
        return {};
    const double fromX = columnOf(place.scale, arrow.fromTime);
    const double toX = columnOf(place.scale, arrow.toTime);
    const int toTop = rows.top(to) - place.scrollY;
    const bool isDown = from < to;
    const QPointF end(toX, toTop + (isDown ? rows.metrics(to).bandTop : rows.metrics(to).baseline()));
    QPointF start = end - QPointF(0, StubLength);
    if (!isStub) {
        const RowMetrics source = rows.metrics(from);
        start = {fromX, double(rows.top(from) - place.scrollY + (isDown ? source.baseline() : source.bandTop))};
    }
    const auto [top, bottom] = std::minmax({start.y(), end.y()});
    if (bottom < 0 || top > place.height || std::max(fromX, toX) < 0 || std::min(fromX, toX) > place.scale.width())
        return {};
    return ArrowLine{start, end, arrow, false, isStub};
}

ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowPlace& place)
{
    const bool areFew = double(place.total) < place.limit();
    std::vector<Candidate> candidates;
    std::map<Owner, int> counts;
    Apart apart;
    for (const Arrow& arrow : arrows) {
        const int from = rows.find(arrow.from);
        const int to = rows.find(arrow.to);
        if (to < 0 || from == to)
            continue;
        Candidate it{{}, markOf(arrow, rows, to, place), to, ownerOf(arrow, from, to, place)};
        if (areFew || it.owner != Owner::Nobody) {
            it.line = layOutArrow(arrow, rows, place);
            if (it.line && !apart.takes(from, to, it.line->to.x()) && it.owner != Owner::EndOfState)
                continue;
            counts[it.owner] += it.line.has_value();
        }
        if (it.line || it.mark)
            candidates.push_back(std::move(it));
    }
    ArrowLayout layout;
    std::pair<int, int> lastMark{-1, 0};
    for (Candidate& it : candidates) {
        if (it.line && (areFew || it.owner == Owner::EndOfState || counts[it.owner] < place.limit()))
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
